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
    Fix,
    Literal,
    Operation,
    Program,
    ReplaceCallee,
    display,
)


def reads_values(operation: Operation) -> bool:
    """Whether numpy, OpenCV or PIL is given a tensor that has no value while a graph is recorded."""
    library, _, rest = operation.name.partition(".")
    return (
        operation.on_tensor
        and library in NEEDS_VALUES
        and not draws(operation)
        and rest.rpartition(".")[2] not in NEEDS_NO_VALUES
        and not is_guarded(operation)
    )


def draws(operation: Operation) -> bool:
    """Whether Python or numpy draws a random number: once, when the graph is recorded."""
    last = operation.name.rpartition(".")[2]
    return operation.name.startswith(PYTHON_RANDOM) and last not in NO_DRAWS


def is_guarded(operation: Operation) -> bool:
    """Whether a test makes sure that the call sees no tensor of a graph (`isinstance(x, np.ndarray)`)."""
    return any(word in guard for guard in operation.guards for word in KNOWN_INPUT_TESTS)


def traced_kinds(program: Program) -> frozenset[str]:
    """The kinds of functions that run as graphs here: where tracing is turned off, only mapped ones do."""
    kinds = {"map", "function", "step", "call"}
    for operation in program.operations:
        if operation.name in EAGER_SWITCHES and _is_true(operation.arguments.get("0")):
            return frozenset({"map"})
        switch = "run_eagerly" if operation.name.endswith(".compile") else "0"
        switches = switch == "run_eagerly" or operation.name == "keras.Model.run_eagerly"
        if switches and _is_true(operation.arguments.get(switch)):
            kinds -= {"step", "call"}
    return frozenset(kinds)


def _is_true(argument: Argument | None) -> bool:
    return argument is not None and argument.value == Literal(True)


def replacement(program: Program, operation: Operation) -> str | None:
    """The function of TensorFlow, or of Keras where the file uses no other, that means the same as this call."""
    library, _, function = operation.name.partition(".")
    equivalent = NUMPY_EQUIVALENTS.get(function) if library == "numpy" else None
    keywords = {name for name in operation.arguments if not name.isdigit()}
    positional = len(operation.arguments) - len(keywords)
    if equivalent is None or operation.expression is None or not equivalent.accepts(positional, keywords):
        return None
    if program.only_keras or program.keras_backend in ("jax", "torch"):
        return f"keras.ops.{equivalent.keras}" if program.target >= KERAS_3_SINCE else None
    return equivalent.tensorflow


def instead(program: Program, operation: Operation) -> tuple[str, Fix | None]:
    """What stands for this call, as the end of a message, and the fix that calls it; nothing where nothing does."""
    name = replacement(program, operation)
    if name is None:
        return "", None
    fix = Fix.unsafe(f"call {shown(name)}", ReplaceCallee(operation, name))
    return f"; {shown(name)} does the same", fix


def shown(name: str) -> str:
    """A canonical name as users write it."""
    return display(name)
