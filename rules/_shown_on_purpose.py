"""Traced functions that are there to show what tracing does, as tutorials have them: nobody would mend these."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from pipelint.rule import Argument, Call, Event, Function, Literal, Program, Region, Trace, TraceKind, once_a_program

_NO_MODELS = frozenset({"builtins", "datetime", "numpy", "random", "tensorflow", "time"})
"""Libraries whose functions run no model."""


def is_shown(program: Program, trace: Trace, is_fault: Callable[[Event], object]) -> bool:
    """Whether a traced function is written anew further down without the fault, tried out with numbers, or made to fail."""
    return (
        _is_told_better(program, trace, is_fault) or _is_tried_out(program, trace) or fails_on_purpose(program, trace)
    )


def fails_on_purpose(program: Program, trace: Trace) -> bool:
    """Whether all calls of a traced function stand where what they raise is caught, and shown."""
    callers = program.calls_of.get(trace.function, ())
    return bool(callers) and all(call.meant_to_fail for call in callers)


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
    """Whether scripts alone call a tf.function, once at least with numbers that are written there, and it runs no model."""
    if trace.kind is not TraceKind.FUNCTION or any(call.library not in _NO_MODELS for call in trace.calls):
        return False
    callers = program.calls_of.get(trace.function, ())
    in_scripts = all(call.function is None and call.trace is None for call in callers)
    return in_scripts and any(_gives_numbers(program, call) for call in callers)


def _gives_numbers(program: Program, call: Call) -> bool:
    given = list(call.arguments)
    return bool(given) and all(_is_number(program, argument) for argument in given)


def _is_number(program: Program, argument: Argument) -> bool:
    """Whether a number is written out, or a tensor that is made of one there."""
    if isinstance(argument.value, Literal):
        return isinstance(argument.value.value, (int, float))
    made = program.calls_at.get(argument.region, ())
    return any(
        call.symbol == "tensorflow.constant" and all(isinstance(one.value, Literal) for one in call.positional)
        for call in made
    )


@once_a_program
def _lessons(program: Program) -> frozenset[int]:
    """The modules, by their places, that try out a tf.function on numbers."""
    shown = (trace for trace in program.traces if _is_tried_out(program, trace))
    return frozenset(program.module_at(trace.region).start for trace in shown)


def teaches_graphs(program: Program, place: Region) -> bool:
    """Whether the file of a place shows on numbers what tf.function does: what runs eagerly there does so on purpose."""
    return program.module_at(place).start in _lessons(program)
