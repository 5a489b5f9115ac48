"""Models, layers and optimizers that a loop makes anew: a graph keeps the variables of those that it has met first."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from pipelint.model.code import Call, Loop
from pipelint.model.definitions import Class
from pipelint.model.locations import Region
from pipelint.model.values import Symbol, Value
from pipelint.static.abstract.machine import Machine
from pipelint.static.abstract.values import Instance
from pipelint.static.facts import keras_classes

_WITHOUT_VARIABLES = ("keras.losses.", "keras.initializers.", "keras.regularizers.", "keras.utils.")
"""Where Keras has classes whose objects make no variables."""


def has_variables(symbol: str) -> bool:
    """Whether objects of a class have variables, as far as TensorFlow and Keras go."""
    is_class = symbol.rpartition(".")[2][:1].isupper()
    of_keras = is_class and symbol.startswith("keras.") and not symbol.startswith(_WITHOUT_VARIABLES)
    return of_keras or symbol == "tensorflow.Variable"


def place_of_making(machine: Machine, value: Value | None) -> Region | None:
    """Where an object that may have variables is made; None for anything else."""
    if not isinstance(value, Instance) or value.arguments is None or value.arguments.node is None:
        return None
    if has_variables(value.symbol or "") or (value.cls is not None and keras_classes.is_network(value.cls)):
        return machine.region(value.arguments.node)
    return None


def mark(machine: Machine) -> None:
    """Tell each call in a loop whether, and in which loop, the object that it uses is made anew."""
    makers = Makers(machine)
    for event in machine.events:
        if isinstance(event, Call) and event.made_at is not None and event.loops and event.trace is None:
            event.renewed_in = makers.loop_around(event.made_at, event.loops, always=True)


class Makers:
    """The calls of a program that make objects."""

    def __init__(self, machine: Machine) -> None:
        self._machine = machine

    @cached_property
    def _calls(self) -> dict[Region, list[Call]]:
        found: dict[Region, list[Call]] = {}
        for event in self._machine.events:
            if isinstance(event, Call) and isinstance(event.callee, (Symbol, Class)):
                found.setdefault(event.region, []).append(event)
        return found

    def loop_around(self, made_at: Region, around: Sequence[Loop], *, always: bool = False) -> Loop | None:
        """The innermost of these loops, each in the one before, that makes what is made there, in some or all turns."""
        depth = 0
        for maker in self._calls.get(made_at, ()):
            for number, (own, other) in enumerate(zip(maker.loops, around, strict=False), start=1):
                if own.region != other.region or (always and maker.guards - own.guards):
                    break
                depth = max(depth, number)
        return around[depth - 1] if depth else None
