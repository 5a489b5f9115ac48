"""Whether code that is followed does more than compute."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sized
from contextlib import contextmanager

from pipelint.model.code import Call, Event
from pipelint.static.abstract.machine import Machine
from pipelint.static.abstract.scopes import new_number


@contextmanager
def watching(machine: Machine) -> Iterator[Callable[[], bool]]:
    """Tell of the code that is followed here whether it did more than compute: made, changed, or ran something."""
    first, before, events = new_number(), _made(machine), len(machine.events)
    lowest, machine.store.lowest_written = machine.store.lowest_written, first

    def did_more() -> bool:
        return changed or _made(machine) != before or not all(map(_is_plain_call, machine.events[events:]))

    yield did_more
    changed = machine.store.lowest_written < first
    machine.store.lowest_written = min(lowest, machine.store.lowest_written)


def _made(machine: Machine) -> tuple[int, ...]:
    """How much there is of what rules look at, besides events."""
    made: tuple[Sized, ...] = (
        machine.consumptions,
        machine.feeds,
        machine.discarded,
        machine.traces,
        machine.escaped,
        machine.functions,
        machine.classes,
        machine.linked,
        machine.eager_tapes,
    )
    return (*map(len, made), machine.cut_short)


def _is_plain_call(event: Event) -> bool:
    """Whether an event is a call that runs no model and reads no result of a step."""
    return isinstance(event, Call) and not event.on_step_result and event.last_name != "__call__"
