"""Functions that Keras runs in a graph where nothing keeps it from that, and that need the values of tensors."""

from __future__ import annotations

from pipelint.rule import Call, Count, Function, Method, Program, TraceKind, display

from ._python_calls import collects, draws, reads_values

_GIVEN = ("keras.losses.", "keras.metrics.", "keras.Loss", "keras.Metric")
"""Classes whose objects a program gives to `compile`."""

_NOT_IN_A_GRAPH = frozenset({"compile", "fit", "evaluate", "predict", "train_on_batch"})
"""Methods of models that raise where a tf.function calls them."""
_NEEDED = "; it is needed as long as the step keeps to Python"


def needed_first(program: Program, *, functions: bool) -> str:
    """What has to be done before a model, or the `functions` under `tf.function`, can run in a graph; "" for nothing."""
    reader = _value_reader(program)
    if reader is not None:
        return f"; first `{reader.title}` has to do without `.numpy()`"
    for trace in program.traces if functions else ():
        for call in trace.calls if trace.kind is TraceKind.FUNCTION else ():
            if isinstance(call.callee, Method) and call.last_name in _NOT_IN_A_GRAPH:
                return f"; take @tf.function off `{trace.title}` with it, as no graph can hold `{call.last_name}`"
            if reads_values(call) or (call.symbol == "tensorflow.Tensor.numpy" and call.on_tensor):
                return f"; first `{trace.title}`, a tf.function, has to do without `{display(call.symbol)}`"
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


def python_state(program: Program) -> str:
    """What steps that Keras would trace do in Python each time, and would do once in a graph; "" where they do not."""
    steps = (trace for trace in program.traces if trace.kind is TraceKind.STEP)
    for event in (event for trace in steps for event in trace.events):
        where = f" in `{event.function.title}`" if event.function else ""
        match event:
            case Call() if draws(event):
                return f"{_NEEDED}: `{display(event.symbol)}`{where} would draw once for all steps"
            case Call(on_outer_object=True, last_name=name) if collects(event):
                return f"{_NEEDED}: `{name}`{where} would keep what has no value"
            case Count(target=target):
                return f"{_NEEDED}: `{target}`{where} would be counted once"
    return ""
