"""Calls of Python libraries that need the values of tensors, and what TensorFlow has in their place."""

from __future__ import annotations

from collections.abc import Callable

from pipelint.rule import (
    EAGER_SWITCHES,
    KERAS_3_SINCE,
    NEEDS_NO_VALUES,
    NEEDS_VALUES,
    NO_DRAWS,
    NO_GRADIENT,
    NUMPY_EQUIVALENTS,
    PYTHON_RANDOM,
    TAKES_SIZES,
    TRACING,
    Argument,
    Call,
    Count,
    Event,
    Fix,
    Literal,
    Made,
    Method,
    Program,
    ReplaceCallee,
    Severity,
    Switch,
    Text,
    Trace,
    TraceKind,
    display,
    once_a_program,
    words_of,
)

from ._step_loops import trains_op_by_op

_COLLECTS = {"append": 1, "extend": 1, "insert": 2, "appendleft": 1}
"""Methods of lists and deques, with how many arguments they take: what takes others is none of these."""
_LISTS = frozenset({"builtins.list", "builtins.tuple", "builtins.set", "collections"})


def reads_values(call: Call) -> bool:
    """Whether numpy, OpenCV or PIL is given a tensor that has no value while a graph is recorded."""
    return call.on_tensor and call.library in NEEDS_VALUES and not draws(call) and call.last_name not in NEEDS_NO_VALUES


def stops_gradient(trace: Trace, call: Call) -> bool:
    """Whether a call that reads values, run eagerly, keeps a gradient from what stands before it."""
    owns = any(function is not None and function.has_own_gradient for function in (trace.function, call.function))
    return not owns and call.last_name not in NO_GRADIENT | TAKES_SIZES


def collects(call: Call) -> bool:
    """Whether a list is given a tensor or number; variables and layers are kept so that they are made only once."""
    if not isinstance(call.callee, Method) or call.last_name not in _COLLECTS:
        return False
    values = [argument.value for argument in call.arguments]
    if call.symbol and call.symbol.removesuffix(f".{call.last_name}") not in _LISTS:
        return False
    if len(values) != _COLLECTS[call.last_name] or (call.on_unknown_object and call.last_name == "insert"):
        return False
    if any(isinstance(value, Made) for value in values):
        return False
    return call.on_tensor or any(isinstance(value, Literal) for value in values)


def draws(call: Call) -> bool:
    """Whether Python or numpy draws a random number, which all runs of the graph then share."""
    return call.symbol.startswith(PYTHON_RANDOM) and call.last_name not in NO_DRAWS and not call.meant_once


def severity_of(event: Event, is_fault: Callable[[Event], object]) -> Severity:
    """An error, but for what stands in one of several functions that a test chooses from, of which one is harmless."""
    certain = all(any(map(is_fault, way)) for way in event.instead)
    return Severity.ERROR if certain else Severity.WARNING


@once_a_program
def graphs(program: Program) -> tuple[Trace, ...]:
    """The traces of functions that run as graphs here, as far as the program gets to them."""
    kinds = _traced_kinds(program)
    traces = (trace for trace in program.traces if trace.kind in kinds and not trace.only_eager)
    return tuple(trace for trace in traces if trace.function is None or not trace.function.unused)


def _traced_kinds(program: Program) -> frozenset[TraceKind]:
    """The kinds of functions that run as graphs here: where tracing is turned off, only mapped ones do."""
    if any(call.symbol in EAGER_SWITCHES and _is_true(call.argument("run_eagerly")) for call in program.calls):
        return frozenset({TraceKind.MAP})
    eager = any(
        (isinstance(event, Switch) and event.attribute == "run_eagerly" and event.value == Literal(True))
        or (isinstance(event, Call) and event.last_name == "compile" and _is_true(event.argument("run_eagerly")))
        for event in program.events
    )
    # A functional model records its layers once more, to be built; where it is called, they run.
    by_keras = {TraceKind.STEP} if trains_op_by_op(program) else {TraceKind.STEP, TraceKind.CALL}
    return frozenset({TraceKind.MAP, TraceKind.FUNCTION} | (set() if eager else by_keras))


def _is_true(argument: Argument | None) -> bool:
    return argument is not None and argument.value == Literal(True)


def replacement(program: Program, call: Call) -> str | None:
    """The function of TensorFlow, or of Keras where the file uses no other, that means the same as this call."""
    equivalent = NUMPY_EQUIVALENTS.get(call.symbol.removeprefix("numpy.")) if call.library == "numpy" else None
    if equivalent is None or call.expression is None or not equivalent.accepts(len(call.positional), call.keywords):
        return None
    if program.module_at(call.region).only_keras or not program.runs_on_tensorflow:
        return f"keras.ops.{equivalent.keras}" if program.target >= KERAS_3_SINCE else None
    return equivalent.tensorflow


def instead(program: Program, call: Call) -> tuple[str, Fix | None]:
    """What stands for this call, as the end of a message, and the fix that calls it; nothing where nothing does."""
    name = replacement(program, call)
    if name is None:
        return "", None
    fix = Fix.unsafe(f"call {display(name)}", ReplaceCallee(call, name))
    only_floats = NUMPY_EQUIVALENTS[call.symbol.removeprefix("numpy.")].only_floats
    return f"; {display(name)} does the same{' for floats' if only_floats else ''}", fix


def has_words(call: Call) -> bool:
    """Whether a print says what it prints; without a word it was a look at what is traced."""
    values = (part.value for part in call.positional)
    return any(isinstance(value, Literal) and isinstance(value.value, str) for value in values)


def prints_tensor(event: Event) -> bool:
    """Whether Python prints a tensor, or a text that a tensor was written into."""
    return isinstance(event, Call) and event.symbol == "builtins.print" and (event.on_tensor or event.on_text_of_tensor)


def is_about_tracing(trace: Trace, call: Call) -> bool:
    """Whether the text that is printed says so, or `tf.print` stands beside it: its author knows what Python prints."""
    values = [argument.value for argument in call.arguments]
    texts = [str(value.value) for value in values if isinstance(value, Literal)]
    texts += [value.start for value in values if isinstance(value, Text)]
    if any(TRACING.intersection(words_of(text)) for text in texts):
        return True
    return any(other.symbol == "tensorflow.print" and other.function is call.function for other in trace.calls)


def misleads_nobody(count: Count) -> bool:
    """Whether nothing reads a counter of traced code, or it is called after traces."""
    return not count.is_read or bool(TRACING.intersection(words_of(count.target)))
