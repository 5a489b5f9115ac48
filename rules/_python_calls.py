"""Calls of Python libraries that need the values of tensors, and what TensorFlow has in their place."""

from __future__ import annotations

from pipelint.rule import (
    EAGER_SWITCHES,
    KERAS_3_SINCE,
    KNOWN_INPUT_TESTS,
    NEEDS_NO_VALUES,
    NEEDS_VALUES,
    NO_DRAWS,
    NUMPY_EQUIVALENTS,
    PYTHON_RANDOM,
    Argument,
    Call,
    Event,
    Fix,
    Literal,
    Program,
    ReplaceCallee,
    Switch,
    TraceKind,
    display,
)


def reads_values(call: Call) -> bool:
    """Whether numpy, OpenCV or PIL is given a tensor that has no value while a graph is recorded."""
    return (
        call.on_tensor
        and call.library in NEEDS_VALUES
        and not draws(call)
        and call.last_name not in NEEDS_NO_VALUES
        and not is_guarded(call)
    )


def draws(call: Call) -> bool:
    """Whether Python or numpy draws a random number: once, when the graph is recorded."""
    return call.symbol.startswith(PYTHON_RANDOM) and call.last_name not in NO_DRAWS


def is_guarded(event: Event) -> bool:
    """Whether a test makes sure that no tensor of a graph is seen (`isinstance(x, np.ndarray)`)."""
    return any(word in guard for guard in event.guards for word in KNOWN_INPUT_TESTS)


def traced_kinds(program: Program) -> frozenset[TraceKind]:
    """The kinds of functions that run as graphs here: where tracing is turned off, only mapped ones do."""
    if any(call.symbol in EAGER_SWITCHES and _is_true(call.argument("run_eagerly")) for call in program.calls):
        return frozenset({TraceKind.MAP})
    eager = any(
        (isinstance(event, Switch) and event.attribute == "run_eagerly" and event.value == Literal(True))
        or (isinstance(event, Call) and event.last_name == "compile" and _is_true(event.argument("run_eagerly")))
        for event in program.events
    )
    by_keras = frozenset() if eager else frozenset({TraceKind.STEP, TraceKind.CALL})
    return frozenset({TraceKind.MAP, TraceKind.FUNCTION}) | by_keras


def _is_true(argument: Argument | None) -> bool:
    return argument is not None and argument.value == Literal(True)


def replacement(program: Program, call: Call) -> str | None:
    """The function of TensorFlow, or of Keras where the file uses no other, that means the same as this call."""
    equivalent = NUMPY_EQUIVALENTS.get(call.symbol.removeprefix("numpy.")) if call.library == "numpy" else None
    if equivalent is None or call.expression is None or not equivalent.accepts(len(call.positional), call.keywords):
        return None
    if program.only_keras or not program.runs_on_tensorflow:
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
