"""What TensorFlow does to a pipeline by itself, and what keeps it from doing so."""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum

from pipelint.rule import (
    COUNTERS,
    FREE,
    INJECT_PREFETCH,
    MAP_PARALLELIZATION,
    NO_WORK,
    Effect,
    Pipeline,
    Program,
    Stage,
)


class Hindrance(Enum):
    """Why TensorFlow leaves a pipeline as it is written."""

    FUNCTION = "iterated inside a tf.function"
    OPTIONS = "turned off by the options"
    VERSION = "an older target"
    FLOOR = "an older target, which is only the oldest of those that the project admits"
    PARALLEL_TAIL = "an older target, which makes the last map parallel, so that it works ahead by itself"
    IN_MEMORY = "an older target, but elements that are there already"

    @property
    def costs(self) -> bool:
        """Whether the consumer waits for it."""
        return self in (Hindrance.FUNCTION, Hindrance.OPTIONS, Hindrance.VERSION)


def hinders_prefetch(program: Program, pipelines: Iterable[Pipeline]) -> Hindrance | None:
    """What keeps TensorFlow from inserting a prefetch at the end of any of these pipelines; None where it does."""
    for pipeline in (pipelines := tuple(pipelines)):
        if any(consumer.in_tf_function for consumer in pipeline.consumers):
            return Hindrance.FUNCTION
    if any(pipeline.turns_off(*INJECT_PREFETCH.turned_off_by) for pipeline in pipelines):
        return Hindrance.OPTIONS
    if program.target >= INJECT_PREFETCH.since:
        return None
    if program.newest >= INJECT_PREFETCH.since:
        return Hindrance.FLOOR
    if all(_works_ahead(program, pipeline) for pipeline in pipelines):
        return Hindrance.PARALLEL_TAIL
    takes_time = any(map(_takes_time, (stage for pipeline in pipelines for stage in pipeline.every_stage)))
    return Hindrance.VERSION if takes_time else Hindrance.IN_MEMORY


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
