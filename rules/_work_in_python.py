"""What a function behind tf.py_function does in Python, and how much that matters."""

from __future__ import annotations

from typing import NamedTuple

from pipelint.rule import (
    AUGMENTING,
    BATCHING,
    IN_THE_GRAPH,
    MAPS,
    NOT_IN_THE_GRAPH,
    WAITING_CALLS,
    Cause,
    Effect,
    MappedFunction,
    Severity,
    Stage,
)

from ._caching import is_cached_later

_SPARED = "where it gives the same each time, cache() or TFRecord files that are written once spare later epochs that"


class Judgement(NamedTuple):
    """How bad it is that a function leaves the graph, and what to do instead."""

    severity: Severity
    reason: str


def judge_python(stage: Stage, python: MappedFunction | None) -> Judgement:
    """How bad it is, and what to do instead, by what the Python function calls."""
    called = [cause.name for cause in python.causes] if python is not None else []
    if any(name.startswith(WAITING_CALLS) for name in called):
        calls = "" if stage.argument("num_parallel_calls") is not None else "num_parallel_calls and "
        threads = f"it waits, so {calls}options.threading.private_threadpool_size let more of it overlap"
        return Judgement(Severity.ADVICE, threads)
    for name in called:
        if name.startswith(NOT_IN_THE_GRAPH):
            instead = f"TensorFlow has no operation for {name}; convert the data to TFRecord files once"
            return Judgement(Severity.ADVICE, instead)
    known = [known for cause in python.causes if (known := _in_the_graph(cause))] if python is not None else []
    if python is not None and known:
        # What always happens and computes goes before what a switch may keep from happening, and before reading.
        return min(known, key=lambda one: one.severity is not Severity.WARNING)
    causes = [cause for cause in python.causes if cause.effect is not Effect.UNKNOWN] if python is not None else []
    if causes and all(cause.name.startswith("tf.") for cause in causes):
        work = causes[0].name
        return Judgement(
            Severity.ADVICE, f"it calls {work}, an operation of the graph; leave to Python only what has none"
        )
    if python is None or is_unknown_python(stage):
        return Judgement(
            Severity.ADVICE, f"what it does there is not known, and one element has it at a time; {_SPARED}"
        )
    if any(cause.effect is Effect.READ for cause in causes):
        return Judgement(Severity.ADVICE, "it reads files in Python; tf.io.read_file does this in the graph")
    lock = "the interpreter lock lets one element through at a time, so parallel calls do not help"
    return Judgement(Severity.ADVICE, f"{lock}; operations of TensorFlow in its place run on all cores")


def _in_the_graph(cause: Cause) -> Judgement | None:
    """What TensorFlow has in the place of a call, which counts where it computes, and not under a switch."""
    instead = next((instead for prefixes, instead, _ in IN_THE_GRAPH if cause.name.startswith(prefixes)), None)
    if instead is None:
        return None
    when = f" where `{cause.switch}`" if cause.switch else ""
    computes = cause.effect is Effect.DECODE and not cause.switch
    severity = Severity.WARNING if computes else Severity.ADVICE
    return Judgement(severity, f"it calls {cause.name}{when}; {instead}")


def costs_little(stage: Stage, python: MappedFunction | None) -> bool:
    """Whether it only sleeps, in the place of work that is not there, or only names what is read later.

    Or a library that lets go of the interpreter's lock changes examples at random, which no cache can spare.

    Or it is not known to be anything that could be done elsewhere, and a cache keeps what it gives.
    """
    if is_cached_later(stage) and holds_the_interpreter(stage):
        return True
    if python is None or not python.resolved:
        return False
    names = {cause.name for cause in python.causes}
    augments = bool(names) and {name.partition(".")[0] for name in names} <= AUGMENTING
    return augments or names == {"time.sleep"} or (not names and (python.looks_up_texts or _names_files(stage)))


def _names_files(stage: Stage) -> bool:
    """Whether a later map reads or decodes in the graph what single elements of this one name."""
    for later in stage.downstream():
        if later.op in BATCHING:
            return False
        function = later.function if later.op in MAPS else None
        if function is not None and function.python is None and function.cause(Effect.READ, Effect.DECODE):
            return True
    return False


def reads(stage: Stage) -> bool:
    """Whether the function of a stage reads files for its elements, in the graph or in Python."""
    function = stage.function
    if function is None:
        return False
    python = function.python
    return bool(function.cause(Effect.READ) or (python is not None and python.cause(Effect.READ, Effect.DECODE)))


def holds_the_interpreter(stage: Stage) -> bool:
    """Whether all that takes time is Python code of which nothing shows that it lets go of the interpreter's lock.

    Several calls of it then run one after the other anyway. Where it was measured, the time tells.
    """
    if stage.cost is not None:
        return stage.cost.lock_seconds > stage.cost.seconds / 2
    function = stage.function
    if function is None or function.python is None or function.cause(Effect.READ, Effect.DECODE):
        return False
    return function.python.cause(Effect.READ, Effect.DECODE) is None


def is_unknown_python(stage: Stage) -> bool:
    """Whether Python code runs of which it is not known whether several calls of it can run side by side."""
    python = stage.function.python if stage.function is not None else None
    return python is not None and (not python.resolved or python.cause(Effect.UNKNOWN) is not None)
