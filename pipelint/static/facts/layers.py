"""Layers that are made of other layers or of a function."""

from __future__ import annotations

from pipelint.model.values import UNKNOWN, Value
from pipelint.static.abstract.containers import holds_functions
from pipelint.static.abstract.guards import NO_GUARDS, consistent
from pipelint.static.abstract.machine import DEEPEST_CALL, Machine
from pipelint.static.abstract.values import Instance, Sequence


def parts_of(machine: Machine, instance: Instance) -> list[Value] | None:
    """The layers that a Sequential applies, or the function of a Lambda layer; None if they are not all known."""
    given = instance.arguments
    if instance in machine.layers_within or len(machine.layers_within) > DEEPEST_CALL or machine.calls_left <= 0:
        return None
    if instance.symbol == "keras.layers.Lambda":
        function = given.get(0, "function") if given is not None else None
        return [function if function is not None else UNKNOWN]
    if given is None or given.hides:
        return None
    if instance.symbol == "keras.layers.Activation" and any(map(holds_functions, given.values())):
        return list(given.values())
    if instance.symbol != "keras.Sequential":
        return None
    listed = given.get(0, "layers") or Sequence(())
    added = [(guards, layer) for guards, layer in instance.layers if consistent(guards, machine.path)]
    held = NO_GUARDS.union(*(guards for guards, _ in added))
    if not isinstance(listed, Sequence) or not consistent(held, held):
        return None
    return [*listed.items, *(layer for _, layer in added)] or None
