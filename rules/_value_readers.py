"""Functions that Keras runs in a graph where nothing keeps it from that, and that need the values of tensors."""

from __future__ import annotations

from pipelint.rule import Call, Count, Function, Method, Program, TraceKind, display

from ._python_calls import collects, draws, reads_values

_GIVEN = ("keras.losses.", "keras.metrics.", "keras.Loss", "keras.Metric")
"""Classes whose objects a program gives to `compile`."""

_NOT_IN_A_GRAPH = frozenset({"compile", "fit", "evaluate", "predict", "train_on_batch"})
"""Methods of models that raise where a tf.function calls them."""


def needed_first(program: Program, *, functions: bool) -> str:
    """What has to be done before a model, or the `functions` under `tf.function`, can run in a graph; "" for nothing."""
    reader = _value_reader(program)
    if reader is not None:
        return f"; first `{reader.title}` has to do without `.numpy()`"
    kinds = {TraceKind.STEP, TraceKind.CALL, *([TraceKind.FUNCTION] if functions else [])}
    for trace in program.traces:
        for call in trace.calls if trace.kind in kinds else ():
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
    for call in program.calls:
        function = call.function
        if call.last_name != "numpy" or not isinstance(call.callee, Method) or function is None or call.trace:
            continue
        bases = [base.name for base in function.owner.library_bases()] if function.owner else []
        if function not in called and (function.owner is None or any(base.startswith(_GIVEN) for base in bases)):
            return function
    return None


def keeps_state_in_python(program: Program) -> bool:
    """Whether steps that Keras would trace do in Python each time what a graph would do once: draw, gather or count."""
    steps = (trace for trace in program.traces if trace.kind is TraceKind.STEP)
    return any(
        isinstance(event, Count)
        or (isinstance(event, Call) and (draws(event) or (event.on_outer_object and collects(event))))
        for trace in steps
        for event in trace.events
    )
