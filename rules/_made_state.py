"""What traced code makes that outlives a call: variables, and layers that have such."""

from __future__ import annotations

from collections.abc import Iterator

from pipelint.rule import HAS_WEIGHTS, KEEPS_SEED, Call, Method, Program, Trace, TraceKind

from ._keras_3 import runs_on_keras_3
from ._shown_on_purpose import fails_on_purpose

VARIABLES = frozenset({"Variable", "add_weight"})
_RANGES = frozenset({"builtins.range", "numpy.arange", "tensorflow.range"})
_KINDS = (TraceKind.CALL, TraceKind.STEP, TraceKind.FUNCTION)
_LAYERS = "keras.layers."


def makes_state(program: Program, trace: Trace) -> Iterator[Call]:
    """The calls that make such things each time that a function runs which TensorFlow traces: those under no test."""
    unused = trace.function is not None and trace.function.unused
    calls = list(trace.calls) if trace.kind in _KINDS and not unused else []
    if any(call.symbol == "tensorflow.init_scope" for call in calls) or (calls and fails_on_purpose(program, trace)):
        return
    made = [
        call
        for call in calls
        if not call.guards
        and not call.doubtful
        and not _may_run_once(call, trace)
        and not program.module_at(call.region).legacy
        and _has_state(program, call)
    ]
    builds = bool(made) and _is_called_as_a_method(program, trace)
    yield from (call for call in made if not builds or _is_of_another_layer(call, trace))


def _may_run_once(call: Call, trace: Trace) -> bool:
    """Whether a decorator that nobody knows may let its function run in the first call alone."""
    return call.function is not None and call.function is not trace.function and call.function.may_run_once


def holds_indices(program: Program, call: Call) -> bool:
    """Whether a variable is made of whole numbers in a row, as `tf.range` gives them: nothing to be trained."""
    first = call.positional[0] if call.symbol == "tensorflow.Variable" and call.positional else None
    if first is None:
        return False
    if isinstance(first.constant, tuple):
        return bool(first.constant) and all(type(number) is int for number in first.constant)
    return any(made.symbol in _RANGES for made in program.calls_at.get(first.region, ()))


def _is_called_as_a_method(program: Program, trace: Trace) -> bool:
    """Whether the program calls `model.call(inputs)`: with inputs of Keras that builds a model once, of what it makes."""
    if trace.kind is not TraceKind.CALL or trace.function is None:
        return False
    owner = trace.function.owner
    eager = (call for call in program.calls if call.trace is None)
    own = (
        call
        for call in eager
        if call.callee is trace.function or (call.function is not None and call.function.owner is owner)
    )
    return any(program.written(call.name) == "call" for call in own)


def _is_of_another_layer(call: Call, trace: Trace) -> bool:
    """Whether code of another class makes it, which Keras calls again for each graph."""
    inner = call.function.owner if call.function is not None else None
    return inner is not None and trace.function is not None and inner is not trace.function.owner


def _has_state(program: Program, call: Call) -> bool:
    if call.symbol == "tensorflow.Variable" or (call.last_name == "add_weight" and isinstance(call.callee, Method)):
        return True
    layer = call.symbol.removeprefix(_LAYERS) if call.symbol.startswith(_LAYERS) else ""
    return layer in HAS_WEIGHTS or (layer in KEEPS_SEED and runs_on_keras_3(program, call))
