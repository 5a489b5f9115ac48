"""Layers that are made of other layers or of a function."""

from __future__ import annotations

from pipelint.model.values import Value
from pipelint.static.abstract.machine import Machine
from pipelint.static.abstract.values import Closure, Instance, Sequence

_ADDED = "layers added"


def parts_of(machine: Machine, instance: Instance) -> list[Value] | None:
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
    added = machine.attribute(instance.number, _ADDED) or Sequence(())
    if not isinstance(listed, Sequence) or not isinstance(added, Sequence):
        return None
    return [*listed.items, *added.items] or None


def add_part(machine: Machine, instance: Instance, layer: Value) -> None:
    """Remember a layer that is added to a Sequential."""
    added = machine.attribute(instance.number, _ADDED)
    items = added.items if isinstance(added, Sequence) else ()
    machine.store.set((instance.number, _ADDED), Sequence((*items, layer), "list"))
