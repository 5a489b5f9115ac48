"""Functions that Keras runs in a graph where nothing keeps it from that, and that need the values of tensors."""

from __future__ import annotations

from pipelint.rule import PY_FUNCTIONS, Call, Class, Count, Function, Method, Program, Region, Trace, TraceKind, display

from ._made_state import makes_state
from ._python_calls import collects, draws, reads_values

_GIVEN = ("keras.losses.", "keras.metrics.", "keras.Loss", "keras.Metric")
"""Classes whose objects a program gives to `compile`."""

_EACH_STEP = frozenset({"__call__", "call", "update_state"})
"""Their methods that Keras calls in every step."""
_NOT_IN_A_GRAPH = frozenset({"compile", "fit", "evaluate", "predict", "train_on_batch"})
"""Methods of models that raise where a tf.function calls them."""


def needed_first(program: Program, *, functions: bool) -> str:
    """What has to be done before a model, or the `functions` under `tf.function`, can run in a graph; "" for nothing."""
    reader = _value_reader(program)
    if reader is not None:
        return f"; first `{reader.title}` has to do without `.numpy()`"
    kinds = {TraceKind.STEP, TraceKind.CALL, *([TraceKind.FUNCTION] if functions else [])}
    needed = (needed_by(program, trace) for trace in program.traces if trace.kind in kinds)
    return next(filter(None, needed), "")


def needed_by(program: Program, trace: Trace) -> str:
    """What has to be done before this code can run in a graph; "" for nothing."""
    made = next(makes_state(program, trace), None)
    if made is not None:
        inner = made.function.title if made.function is not None else trace.title
        return f"; first `{inner}` has to do without making `{made.last_name}` in each call"
    for call in trace.calls:
        is_function = trace.kind is TraceKind.FUNCTION
        if is_function and isinstance(call.callee, Method) and call.last_name in _NOT_IN_A_GRAPH:
            return f"; take @tf.function off `{trace.title}` with it, as no graph can hold `{call.last_name}`"
        if call.on_tensor and (reads_values(call) or call.symbol == "tensorflow.Tensor.numpy"):
            what = f"`{trace.title}`{', a tf.function,' if is_function else ''}"
            return f"; first {what} has to do without `{display(call.symbol)}`"
    return ""


def _value_reader(program: Program) -> Function | None:
    """A function that calls `.numpy()`, and that Keras may call: of a loss or metric, or one that nobody in sight calls."""
    called = {call.callee for call in program.calls}
    behind = _run_by_python(program)
    for call in program.calls:
        function = call.function
        if call.last_name != "numpy" or not isinstance(call.callee, Method) or function is None or call.trace:
            continue
        if function in called or function.name in behind:
            continue
        if function.owner is None or _is_given_to_compile(function):
            return function
    return None


def _run_by_python(program: Program) -> set[str]:
    """The functions, as written, that graphs call back into Python for: these have values in any case."""
    calls = (call for call in program.calls if call.symbol in PY_FUNCTIONS)
    given = (call.argument("func") or next(iter(call.positional), None) for call in calls)
    return {program.written(one.region) for one in given if one is not None and isinstance(one.region, Region)}


def _is_given_to_compile(function: Function) -> bool:
    """Whether it is a method of a loss or a metric."""
    bases = function.owner.library_bases() if function.owner is not None else ()
    return any(base.name.startswith(_GIVEN) for base in bases)


def keeps_state_in_python(program: Program) -> bool:
    """Whether what Keras would trace does in Python each time what a graph would do once: draw, gather or count."""
    if any(_gathers_for_later(program, call) for call in program.calls):
        return True
    steps = (trace for trace in program.traces if trace.kind is TraceKind.STEP)
    return any(
        isinstance(event, Count)
        or (isinstance(event, Call) and (draws(event) or (event.on_outer_object and collects(event))))
        for trace in steps
        for event in trace.events
    )


def _gathers_for_later(program: Program, call: Call) -> bool:
    """Whether a loss or metric puts something into a list of its object, where a graph would leave a symbol of it."""
    function = call.function
    if function is None or function.name not in _EACH_STEP or not _is_given_to_compile(function):
        return False
    owned = "." in program.written(Region(call.region.start, call.name.start)).removesuffix(".")
    return owned and isinstance(call.callee, Method) and call.last_name in ("append", "extend")


def unseen_layer(program: Program) -> str:
    """What is said of a layer that the program makes of a class whose `call` was not followed; "" where none is."""
    followed = {trace.function for trace in program.traces} | {call.function for call in program.calls}
    for cls in dict.fromkeys(call.callee for call in program.calls if isinstance(call.callee, Class)):
        call = cls.methods.get("call")
        of_keras = any(base.name.startswith("keras.") for base in cls.library_bases())
        if of_keras and call is not None and call not in followed:
            return f"; see first whether `{call.title}` can run in a graph"
    return ""


def functions_are_followed(program: Program) -> bool:
    """Whether all tf.functions could be followed to their ends, so that it is known what graphs would make of them."""
    traces = (event.trace for event in program.events if event.trace is not None)
    return all(trace.complete for trace in traces if trace.kind is TraceKind.FUNCTION)
