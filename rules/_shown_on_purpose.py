"""Traced functions that are there to show what tracing does, as tutorials have them: nobody would mend these."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from pipelint.rule import Call, Event, Function, Literal, Program, Trace, TraceKind

_NO_MODELS = frozenset({"builtins", "datetime", "numpy", "random", "tensorflow", "time"})
"""Libraries whose functions run no model."""


def is_shown(program: Program, trace: Trace, is_fault: Callable[[Event], object]) -> bool:
    """Whether a traced function is written anew further down without the fault, or is only tried out with numbers."""
    return _is_told_better(program, trace, is_fault) or _is_tried_out(program, trace)


def _is_told_better(program: Program, trace: Trace, is_fault: Callable[[Event], object]) -> bool:
    """Whether a function of the same name that follows is traced as well, and does without the fault: both are shown."""
    for later in _successors(trace.function):
        others = [other for other in program.traces if other.function is later]
        if others and not any(is_fault(event) for other in others for event in other.events):
            return True
    return False


def _successors(function: Function | None) -> Iterator[Function]:
    seen: set[Function] = set()
    while function is not None and function.successor is not None and function.successor not in seen:
        function = function.successor
        seen.add(function)
        yield function


def _is_tried_out(program: Program, trace: Trace) -> bool:
    """Whether a script calls a tf.function with nothing but numbers that are written there, and it runs no model."""
    if trace.kind is not TraceKind.FUNCTION or any(call.library not in _NO_MODELS for call in trace.calls):
        return False
    callers = [call for call in program.calls if call.callee is trace.function]
    return bool(callers) and all(map(_gives_numbers, callers))


def _gives_numbers(call: Call) -> bool:
    given = [argument.value for argument in call.arguments]
    numbers = all(isinstance(value, Literal) and isinstance(value.value, (int, float)) for value in given)
    return call.function is None and call.trace is None and bool(given) and numbers
