"""Which maps run one element at a time, and why."""

from __future__ import annotations

from collections.abc import Iterator

from pipelint.rule import (
    AUTOTUNE_OPTIONS,
    DEFAULTS_OPTION,
    MAP_PARALLELIZATION,
    Effect,
    Literal,
    Pipeline,
    Program,
    Severity,
    Stage,
)

from ._moot_parallel_calls import is_moot, is_worth_threads
from ._overlap import selects
from ._passes import is_evaluated_once, is_gathered_once
from ._purpose import only_converts, trains
from ._work_in_python import holds_the_interpreter

_REASONS = {Effect.RANDOM: "draws random numbers", Effect.PYTHON: "runs Python", Effect.STATE: "keeps state"}
_OPTIONS = {
    (*AUTOTUNE_OPTIONS, MAP_PARALLELIZATION.option): "map_parallelization or autotune",
    (DEFAULTS_OPTION,): "the default optimisations",
}


def sequential_maps(program: Program, pipeline: Pipeline) -> Iterator[tuple[Stage, Severity, str]]:
    """The maps of a pipeline that should ask for parallel calls, how bad it is that they do not, and why."""
    if program.near(pipeline.end.name).op_determinism:
        return
    for stage in (one for one in pipeline.stages if one.op == "map" and _is_sequential(pipeline, one)):
        severity, reason = _judged(program, pipeline, stage)
        evaluated = is_evaluated_once(program, pipeline) and (
            not only_converts(pipeline) or trains(program.near(pipeline.end.name))
        )
        if severity is Severity.WARNING and (evaluated or is_gathered_once(program, pipeline)):
            severity, reason = Severity.ADVICE, f"{reason}, if only in a single pass"
        # Who asks for it by the options need not ask again; what TensorFlow leaves as it is in spite of them is a warning.
        asked_for = pipeline.option(MAP_PARALLELIZATION.option) == Literal(True)
        idle = asked_for or only_converts(pipeline) or is_moot(program, pipeline, stage)
        if severity is not Severity.ADVICE or not idle:
            yield stage, severity, reason


def _is_sequential(pipeline: Pipeline, stage: Stage) -> bool:
    """Whether a map does not ask for parallel calls, and could do with them."""
    synchronous, outer = stage.argument("synchronous"), pipeline.nested_in
    beside_others = outer is not None and outer.op == "interleave" and outer.has("num_parallel_calls")
    if beside_others or not stage.omits("num_parallel_calls") or (synchronous and synchronous.value == Literal(True)):
        return False
    return not selects(stage) and not holds_the_interpreter(stage)


def _judged(program: Program, pipeline: Pipeline, stage: Stage) -> tuple[Severity, str]:
    """How bad that is, and why, by what keeps TensorFlow from making the map parallel."""
    function = stage.function
    cause = function.cause(*_REASONS) if function else None
    if cause is not None and function is not None:
        why = f"{function.label} {_REASONS[cause.effect]} ({cause.name}), so TensorFlow runs this map one element at a time"
        return Severity.WARNING if is_worth_threads(program, pipeline, stage) else Severity.ADVICE, why
    if (outer := pipeline.nested_in) is not None:
        severity = Severity.WARNING if is_worth_threads(program, pipeline, stage) else Severity.ADVICE
        return severity, f"a map inside {outer.op} is never made parallel, and runs one element at a time"
    for options, what in _OPTIONS.items():
        if pipeline.turns_off(*options):
            return Severity.WARNING, f"this map runs one element at a time: the options turn {what} off"
    unknown = function.cause(Effect.UNKNOWN) if function else None
    if function is None or not function.resolved or unknown:
        name = unknown.name if unknown else function.name if function else None
        why = f"this map does not set num_parallel_calls, and what {f'`{name}`' if name else 'its function'} does"
        return Severity.ADVICE, f"{why} is not known: if it is stateful, TensorFlow runs it one element at a time"
    drawn = function.cause(Effect.DRAWN_ONCE)
    what = f"draws once, when it is traced ({drawn.name}, PIPE602)" if drawn else "is stateless"
    return Severity.ADVICE, f"{function.label} {what}, {_outcome_of_stateless_map(program)}"


def _outcome_of_stateless_map(program: Program) -> str:
    if program.target < MAP_PARALLELIZATION.since:
        return f"but TensorFlow before {'.'.join(map(str, MAP_PARALLELIZATION.since))} may not make this map parallel by itself"
    return "so TensorFlow makes this map parallel by itself; num_parallel_calls says so in the source"
