"""What a function behind tf.py_function does in Python, and how much that matters."""

from __future__ import annotations

from pipelint.rule import (
    BATCHING,
    IN_THE_GRAPH,
    MAPS,
    NOT_IN_THE_GRAPH,
    WAITING_CALLS,
    Effect,
    MappedFunction,
    Severity,
    Stage,
)


def judge_python(stage: Stage, python: MappedFunction | None) -> tuple[Severity, str]:
    """How bad it is, and what to do instead, by what the Python function calls."""
    called = [cause.name for cause in python.causes] if python is not None else []
    if any(name.startswith(WAITING_CALLS) for name in called):
        return Severity.ADVICE, "it waits, so num_parallel_calls and options.threading.private_threadpool_size help"
    for name in called:
        if name.startswith(NOT_IN_THE_GRAPH):
            return Severity.ADVICE, f"TensorFlow has no operation for {name}; convert the data to TFRecord files once"
    for prefixes, instead in IN_THE_GRAPH:
        for name in called:
            if name.startswith(prefixes):
                return Severity.WARNING, f"it calls {name}; {instead}"
    if python is None or is_unknown_python(stage):
        return Severity.ADVICE, "what it does there is not known; the interpreter runs one element at a time"
    in_python = [cause.effect for cause in python.causes if not cause.name.startswith("tf.")]
    if Effect.READ in in_python:
        return Severity.WARNING, "it reads files in Python; tf.io.read_file does this in the graph"
    if python.causes and not in_python:
        work = python.causes[0].name
        return Severity.ADVICE, f"it calls {work}, an operation of the graph; leave to Python only what has none"
    lock = "the interpreter lock lets one element through at a time"
    decoder = _decoder_behind(stage)
    if decoder is not None:
        return Severity.ADVICE, f"{lock}; that may cost little beside {decoder.label} behind it, which reads or decodes"
    return Severity.WARNING, f"{lock}, so parallel calls do not help"


def _decoder_behind(stage: Stage) -> MappedFunction | None:
    """The function of a later map that reads or decodes in the graph what single elements of this one name."""
    for later in stage.downstream():
        if later.op in BATCHING:
            return None
        function = later.function if later.op in MAPS else None
        if function is not None and function.python is None and function.cause(Effect.READ, Effect.DECODE):
            return function
    return None


def reads(stage: Stage) -> bool:
    """Whether the function of a stage reads files for its elements, in the graph or in Python."""
    function = stage.function
    if function is None:
        return False
    python = function.python
    return bool(function.cause(Effect.READ) or (python is not None and python.cause(Effect.READ, Effect.DECODE)))


def only_runs_bytecode(stage: Stage) -> bool:
    """Whether all that takes time is proven to be Python code, whose lock lets one call run at a time anyway."""
    function = stage.function
    if function is None or function.python is None or function.cause(Effect.READ, Effect.DECODE):
        return False
    return function.python.resolved and not function.python.causes


def is_unknown_python(stage: Stage) -> bool:
    """Whether Python code runs of which it is not known whether several calls of it can run side by side."""
    python = stage.function.python if stage.function is not None else None
    return python is not None and (not python.resolved or python.cause(Effect.UNKNOWN) is not None)
