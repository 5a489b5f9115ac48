"""What one of several functions does, as a test or the class of an object chose it: `read = a if fast else b`."""

from __future__ import annotations

from collections.abc import Callable
from itertools import chain
from typing import TypeVar

from pipelint.model.code import TraceKind
from pipelint.model.values import Value
from pipelint.static.abstract.guards import OF_CLASS, Guards, consistent, held
from pipelint.static.abstract.machine import Machine
from pipelint.static.abstract.values import Arguments, choice
from pipelint.static.facts import loops

_Outcome = TypeVar("_Outcome")


def called(machine: Machine, options: list[tuple[Guards, Value]], given: Arguments) -> Value:
    """What a call of any of these gives."""
    results = followed(machine, options, lambda option: machine.call(option, given))
    return choice((guards, result) for (guards, _), result in zip(options, results, strict=True))


def followed(
    machine: Machine, options: list[tuple[Guards, Value]], follow: Callable[[Value], _Outcome]
) -> list[_Outcome]:
    """What comes of each of these; what each of them does knows what those do that exclude it."""
    outcomes = []
    ways = []
    for guards, option in options:
        first = len(machine.events)
        outcomes.append(follow(option))
        ways.append((guards, machine.events[first:]))
    # That Keras traces one subclass does not tell that it traces another.
    by_keras = machine.recorder is not None and machine.recorder.kind in (TraceKind.CALL, TraceKind.STEP)
    for guards, done in ways:
        excluded = [other for more, other in ways if not consistent(guards, more)]
        by_class = any(atom.subject == OF_CLASS for atom in guards)
        instead = () if by_class else tuple(map(tuple, excluded))
        overrides = any(atom.subject == OF_CLASS and atom.holds for atom in guards)
        # Another tensor may be given to what was chosen for arrays, but not where this one is a tensor too.
        denied = not machine.turned_off.isdisjoint(guards)
        for event in done:
            event.instead += instead
            event.chosen_by |= held(guards) if instead else frozenset()
            event.doubtful = event.doubtful or denied or (overrides and by_keras and bool(excluded))
        loops.mark_traced_twin(done, chain.from_iterable(instead))
    return outcomes
