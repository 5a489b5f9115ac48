"""Layers that are made of other layers or of a function."""

from __future__ import annotations

from pipelint.model.values import Value
from pipelint.static.abstract.values import Closure, Instance, Sequence


def parts_of(instance: Instance) -> list[Value] | None:
    """The layers that a Sequential applies, or the function of a Lambda layer; None if they are not all known."""
    given = instance.arguments
    if given is None or given.hides:
        return None
    if instance.symbol == "keras.layers.Lambda":
        function = given.get(0, "function")
        return [function] if isinstance(function, Closure) else None
    if instance.symbol != "keras.Sequential":
        return None
    listed = given.get(0, "layers") or Sequence(())
    if not isinstance(listed, Sequence):
        return None
    return [*listed.items, *instance.layers] or None
