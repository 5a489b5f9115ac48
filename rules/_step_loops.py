"""Loops that run training steps, and calls that take one."""

from __future__ import annotations

from collections.abc import Collection

from pipelint.rule import ENVIRONMENT_METHODS, OUTPUT_CALLS, TRAINING_CALL, Call, Function, Loop, Program, TraceKind

TAPE = "tensorflow.GradientTape"


def step_loops(program: Program) -> set[Loop]:
    """The loops whose own body runs a step: calls a traced function, or one that computes gradients.

    A loop that plays in an environment is none: what it does next depends on what the model says.
    """
    stepping = {
        trace.function
        for trace in program.traces
        if trace.kind is TraceKind.FUNCTION and not _gives_outputs(trace.title)
    }
    stepping |= {call.function for call in program.calls if call.symbol == TAPE}
    playing = {loop for call in program.calls if plays(call) for loop in call.loops}
    return {
        call.loops[-1]
        for call in program.calls
        if call.loops and call.trace is None and (call.symbol == TAPE or _calls_any(call, stepping))
    } - playing


def _calls_any(call: Call, functions: Collection[Function | None]) -> bool:
    return isinstance(call.callee, Function) and call.callee in functions


def is_training_call(program: Program, call: Call) -> bool:
    """Whether a call takes a training step: by its name, by applying gradients, or as the model under a tape."""
    if TRAINING_CALL in call.last_name.lower():
        return True
    if isinstance(call.callee, Function):
        return any(other.function is call.callee and other.last_name == "apply_gradients" for other in program.calls)
    return call.under_tape and (call.callee is None or call.last_name == "__call__")


def _gives_outputs(name: str) -> bool:
    """Whether a function is called for what it computes, which somebody must read, rather than for its loss."""
    return any(word in name.lower() for word in OUTPUT_CALLS)


def plays(call: Call) -> bool:
    """Whether a call moves an environment on: `env.step(action)`, of whatever library it is."""
    if call.last_name not in ENVIRONMENT_METHODS or isinstance(call.callee, Function):
        return False
    return not call.library.startswith(("keras", "tensorflow"))
