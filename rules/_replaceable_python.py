"""Python functions all of whose work has operations of TensorFlow in its place, so that nothing need stay in Python."""

from __future__ import annotations

from collections.abc import Iterator

from pipelint.rule import (
    HANDS_ON_ARRAYS,
    IN_THE_GRAPH,
    NUMPY_EQUIVALENTS,
    OWN_METHODS,
    Call,
    Function,
    MappedFunction,
    Method,
    Program,
    display,
)

_WHOLLY = tuple(prefix for prefixes, _, whole in IN_THE_GRAPH if whole for prefix in prefixes)

_TEXT_OF_TENSOR = "numpy.ndarray.decode"
"""What `tensor.numpy().decode()` calls."""


def is_replaceable(program: Program, python: MappedFunction | None) -> bool:
    """Whether operations of TensorFlow do all that a Python function is known to do, and it does something."""
    if python is None or not python.resolved:
        return False
    work = [cause for cause in python.causes if not cause.name.startswith("tf.")]
    if not all(cause.name.startswith(_WHOLLY) and not cause.switch for cause in work):
        return False
    calls = list(reached(program, python.function)) if python.function is not None else []
    return all(map(_has_operation, calls)) and (bool(work) or any(map(_computes, calls)))


def reached(program: Program, function: Function) -> Iterator[Call]:
    """The calls of a function and of the functions that it calls, without those of such functions."""
    pending = [function]
    for one in pending:
        for call in program.calls:
            if call.function is one:
                if not isinstance(call.callee, Function):
                    yield call
                elif call.callee not in pending:
                    pending.append(call.callee)


def _computes(call: Call) -> bool:
    """Whether numpy computes, outside of any loop of Python, what a function of TensorFlow does as well."""
    hands_on = call.last_name in HANDS_ON_ARRAYS
    return call.symbol.removeprefix("numpy.") in NUMPY_EQUIVALENTS and not hands_on and not call.loops


def _has_operation(call: Call) -> bool:
    """Whether a call stands for operations of TensorFlow, or only takes texts and arrays from hand to hand."""
    if isinstance(call.callee, Method) and call.callee.name in OWN_METHODS:
        return True
    if (
        call.symbol == _TEXT_OF_TENSOR
        or call.library in ("builtins", "tensorflow")
        or display(call.symbol).startswith(_WHOLLY)
    ):
        return True
    return call.library == "numpy" and (call.last_name in HANDS_ON_ARRAYS or _computes(call))
