"""Loops that run training steps, calls that take one, and what is timed."""

from __future__ import annotations

from pipelint.rule import (
    CLOCKS,
    ENVIRONMENTS,
    Call,
    Event,
    Function,
    Loop,
    Method,
    Program,
    Purpose,
    TraceKind,
    purpose_of_words,
)

TAPE = "tensorflow.GradientTape"
_PARTS_OF_A_MOVE = (4, 5)
"""What `env.step(action)` gives: observation, reward, done, info; since gym 0.26 also whether it was truncated."""


def step_loops(program: Program) -> set[Loop]:
    """The loops whose own body takes a training step: changes weights, or calls a traced function that does.

    A loop that plays in an environment is none: what it does next depends on what the model says.
    """
    stepping = {
        trace.function
        for trace in program.traces
        if trace.kind is TraceKind.FUNCTION and any(call.updates_weights for call in trace.calls)
    }
    playing = {loop for call in program.calls if plays(call) for loop in call.loops}
    return {
        call.loops[-1]
        for call in program.calls
        if call.loops and call.trace is None and (call.updates_weights or call.callee in stepping)
    } - playing


def takes_step(program: Program, call: Call) -> bool:
    """Whether a call takes a training step: it changes weights, or is the model under a tape."""
    if isinstance(call.callee, Function):
        return any(other.function is call.callee and other.updates_weights for other in program.calls)
    return call.updates_weights or (call.under_tape and (call.callee is None or call.last_name == "__call__"))


def is_named_step(call: Call) -> bool:
    """Whether a function out of sight is called that is named like one that trains."""
    return not isinstance(call.callee, Function) and purpose_of_words([call.last_name]) is Purpose.TRAINING


def plays(call: Call) -> bool:
    """Whether a call moves an environment on: one of gym's, or an object whose `step` gives as many parts as theirs."""
    if call.last_name != "step" or not isinstance(call.callee, Method):
        return False
    return call.library in ENVIRONMENTS or (call.on_unknown_object and call.parts in _PARTS_OF_A_MOVE)


def is_timed(program: Program, event: Event) -> bool:
    """Whether the clock is read before and after this in the same turn of its loop: the wait is what is measured."""
    clocks = [
        call.region.start
        for call in program.calls
        if call.symbol in CLOCKS and call.function is event.function and call.loops == event.loops
    ]
    return any(start < event.region.start for start in clocks) and any(start > event.region.end for start in clocks)


def is_compared(program: Program, loop: Loop) -> bool:
    """Whether a loop is timed as a whole in a program that runs a model in a graph too, to compare the two."""
    before = {call.function for call in program.calls if call.symbol in CLOCKS and call.region.end <= loop.region.start}
    after = {call.function for call in program.calls if call.symbol in CLOCKS and call.region.start >= loop.region.end}
    return bool(before & after) and any(_runs_in_a_graph(call) for call in program.calls)


def _runs_in_a_graph(call: Call) -> bool:
    if call.trace is not None and call.trace.kind is TraceKind.FUNCTION:
        return call.last_name == "__call__"
    return call.symbol == "tensorflow.types.experimental.PolymorphicFunction.__call__"
