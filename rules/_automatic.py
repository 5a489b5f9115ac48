"""What TensorFlow does to a pipeline by itself, and what keeps it from doing so."""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum

from pipelint.rule import (
    COUNTERS,
    FREE,
    INJECT_PREFETCH,
    MAP_AND_BATCH_FUSION,
    MAP_PARALLELIZATION,
    NO_WORK,
    Consumer,
    ConsumerKind,
    Effect,
    Pipeline,
    Program,
    Stage,
)

from ._caching import has_file, never_fills
from ._passes import is_passed_once


class Hindrance(Enum):
    """Why TensorFlow leaves a pipeline as it is written."""

    FUNCTION = "a loop inside a tf.function, which becomes a reduction of the dataset itself"
    OPTIONS = "turned off by the options"
    VERSION = "an older target"
    FLOOR = "an older target, which is only the oldest of those that the project admits"
    PARALLEL_TAIL = "an older target, which makes the last map parallel, so that it works ahead by itself"
    FUSED_TAIL = "an older target, which fuses a parallel map with the batch behind it, so that they work ahead"
    IN_MEMORY = "an older target, but elements that are there already"
    CACHED = "any of these, but from the second pass on the elements come out of a cache in memory"

    @property
    def costs(self) -> bool:
        """Whether the consumer waits for it."""
        return self in (Hindrance.FUNCTION, Hindrance.OPTIONS, Hindrance.VERSION)


def hinders_prefetch(program: Program, pipelines: Iterable[Pipeline]) -> Hindrance | None:
    """What keeps TensorFlow from inserting a prefetch at the end of any of these pipelines; None where it does."""
    hindrance = _hindrance(program, pipelines := tuple(pipelines))
    if hindrance is not None and hindrance.costs and all(_is_kept(program, pipeline) for pipeline in pipelines):
        return Hindrance.CACHED
    return hindrance


def _hindrance(program: Program, pipelines: tuple[Pipeline, ...]) -> Hindrance | None:
    if any(_is_reduced(consumer) for pipeline in pipelines for consumer in pipeline.consumers):
        return Hindrance.FUNCTION
    if any(pipeline.turns_off(*INJECT_PREFETCH.turned_off_by) for pipeline in pipelines):
        return Hindrance.OPTIONS
    if program.target >= INJECT_PREFETCH.since:
        return None
    if program.newest >= INJECT_PREFETCH.since:
        return Hindrance.FLOOR
    if all(_works_ahead(program, pipeline) for pipeline in pipelines):
        return Hindrance.PARALLEL_TAIL
    if all(map(_is_fused, pipelines)):
        return Hindrance.FUSED_TAIL
    takes_time = any(map(_takes_time, (stage for pipeline in pipelines for stage in pipeline.every_stage)))
    return Hindrance.VERSION if takes_time else Hindrance.IN_MEMORY


def _is_reduced(consumer: Consumer) -> bool:
    """Whether a graph loops over the dataset itself; TensorFlow rewrites what it takes from through an iterator."""
    return consumer.in_tf_function and consumer.kind is ConsumerKind.LOOP


def _is_kept(program: Program, pipeline: Pipeline) -> bool:
    """Whether a cache in memory gives the elements from the second pass on, with nothing behind it that works."""
    for stage in reversed(pipeline.trunk):
        if stage.op == "cache":
            return not (has_file(stage) or never_fills(stage) or is_passed_once(program, pipeline))
        if stage.op not in NO_WORK and not (stage.function is not None and stage.function.selects):
            return False
    return False


def _takes_time(stage: Stage) -> bool:
    """Whether a stage reads, or does more for each element than a proven, stateless computation in memory."""
    if stage.is_source and stage.function is None:
        return stage.op not in NO_WORK and stage.op not in COUNTERS
    if stage.function is None or stage.function.selects:
        return False
    return not stage.stateless or stage.function.cause(Effect.READ, Effect.DECODE) is not None


def _works_ahead(program: Program, pipeline: Pipeline) -> bool:
    """Whether TensorFlow makes the last map parallel, with nothing behind it but a `batch`, which it fuses with it."""
    if program.target < MAP_PARALLELIZATION.since or pipeline.turns_off(*MAP_PARALLELIZATION.turned_off_by):
        return False
    working = [stage for stage in pipeline.trunk if not stage.is_source and stage.op not in FREE]
    if len(working) > 1 and working[-1].op == "batch":
        working.pop()
    last = working[-1] if working else None
    return last is not None and last.op == "map" and last.function is not None and last.function.stateless


def _is_fused(pipeline: Pipeline) -> bool:
    """Whether a map that is parallel as written stands right before the last `batch`, which TensorFlow fuses with it."""
    last = next((stage for stage in reversed(pipeline.trunk) if stage.op not in FREE), None)
    if last is None or last.op != "batch" or not last.omits("num_parallel_calls"):
        return False
    parallel = any(stage.op == "map" and not stage.omits("num_parallel_calls") for stage in last.inputs)
    return parallel and not pipeline.turns_off(*MAP_AND_BATCH_FUSION.turned_off_by)


def outcome_of_stateless_map(program: Program) -> str:
    """What TensorFlow makes of a map without num_parallel_calls whose function is stateless, as the end of a message."""
    if program.target < MAP_PARALLELIZATION.since:
        return f"but TensorFlow before {'.'.join(map(str, MAP_PARALLELIZATION.since))} may not make this map parallel by itself"
    return "so TensorFlow makes this map parallel by itself; num_parallel_calls says so in the source"
