"""What is timed: loops on the clock, and those that are there to be compared with a graph."""

from __future__ import annotations

from collections.abc import Callable

from pipelint.rule import CLOCKS, Call, Event, Loop, Method, Program, Symbol, once_a_program

from ._step_loops import graphs_that

_WRAPPED_OBJECT = Method(Symbol("tensorflow.types.experimental.PolymorphicFunction"), "__call__")
"""A call of what `tf.function` makes of a model."""


def is_timed(program: Program, event: Event) -> bool:
    """Whether the clock is read after this in each turn of its loop: the wait is what is measured."""
    times = {clock.function for clock in _clocks(program)} - {None}
    return any(
        call.function is event.function
        and call.loops == event.loops
        and call.region.start > event.region.end
        and (call.symbol in CLOCKS or _function_of(call) in times)
        and not any(map(_is_periodic, call.guards - event.guards))
        for call in program.calls
    )


def _function_of(call: Call) -> object:
    """The function that is called, be it by the method of an object."""
    of_object = call.receiver.methods.get(call.last_name) if call.receiver is not None else None
    return of_object or call.callee


def _is_periodic(guard: str) -> bool:
    """Whether a test holds every so many turns, as `step % 100 == 0` does: what is timed then is all of these."""
    return "%" in guard


def is_compared(program: Program, loop: Loop, does: Callable[[Call], bool]) -> bool:
    """Whether a loop is timed as a whole, and so is one over a graph that makes this kind of call: to compare them."""
    if not is_timed_loop(program, loop):
        return False
    twins = {_WRAPPED_OBJECT, *graphs_that(program, does)}
    others = {call.loops[-1] for call in program.calls if call.loops and call.callee in twins} - {loop}
    here = program.module_at(loop.region)
    return any(program.module_at(other.region) is here and is_timed_loop(program, other) for other in others)


@once_a_program
def _clocks(program: Program) -> tuple[Call, ...]:
    return tuple(call for call in program.calls if call.symbol in CLOCKS)


def is_timed_loop(program: Program, loop: Loop) -> bool:
    """Whether the clock is read before a loop and after it."""
    here = program.module_at(loop.region)
    clocks = [call for call in _clocks(program) if program.module_at(call.region) is here]
    before = {clock.function for clock in clocks if clock.region.end <= loop.region.start}
    return any(clock.function in before for clock in clocks if clock.region.start >= loop.region.end)
