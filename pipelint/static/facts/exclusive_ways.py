"""Calls that call one of several functions, as a test chose it: `if fast: read = a` and `else: read = b`."""

from __future__ import annotations

from itertools import chain

from pipelint.model.values import Value
from pipelint.static.abstract.guards import Guards, consistent
from pipelint.static.abstract.machine import Machine
from pipelint.static.abstract.values import Arguments, choice
from pipelint.static.facts import default_branches, loops


def called(machine: Machine, options: list[tuple[Guards, Value]], given: Arguments) -> Value:
    """What a call of any of these gives; what each of them does knows what those do that exclude it."""
    results = []
    ways = []
    for guards, option in options:
        first = len(machine.events)
        results.append((guards, machine.call(option, given)))
        ways.append((guards, machine.events[first:]))
    for guards, done in ways:
        instead = tuple(tuple(other) for more, other in ways if not consistent(guards, more))
        for event in done:
            event.instead += instead
        if not default_branches.is_taken(machine, guards):
            loops.mark_traced_twin(done, chain.from_iterable(instead))
    return choice(results)
