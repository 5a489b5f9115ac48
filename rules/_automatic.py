"""What TensorFlow does to a pipeline by itself, and what keeps it from doing so."""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum

from pipelint.rule import FREE, INJECT_PREFETCH, MAP_PARALLELIZATION, Pipeline, Program


class Hindrance(Enum):
    """Why TensorFlow leaves a pipeline as it is written."""

    FUNCTION = "iterated inside a tf.function"
    OPTIONS = "turned off by the options"
    VERSION = "an older target"
    PARALLEL_TAIL = "an older target, which makes the last map parallel, so that it works ahead by itself"

    @property
    def costs(self) -> bool:
        """Whether the consumer waits for it."""
        return self is not Hindrance.PARALLEL_TAIL


def hinders_prefetch(program: Program, pipelines: Iterable[Pipeline]) -> Hindrance | None:
    """What keeps TensorFlow from inserting a prefetch at the end of any of these pipelines; None where it does."""
    for pipeline in (pipelines := tuple(pipelines)):
        if any(consumer.in_tf_function for consumer in pipeline.consumers):
            return Hindrance.FUNCTION
    if any(pipeline.turns_off(*INJECT_PREFETCH.turned_off_by) for pipeline in pipelines):
        return Hindrance.OPTIONS
    if program.target >= INJECT_PREFETCH.since:
        return None
    return (
        Hindrance.PARALLEL_TAIL if all(_works_ahead(program, pipeline) for pipeline in pipelines) else Hindrance.VERSION
    )


def _works_ahead(program: Program, pipeline: Pipeline) -> bool:
    """Whether TensorFlow makes the last map parallel, with nothing behind it but a `batch`, which it fuses with it."""
    if program.target < MAP_PARALLELIZATION.since or pipeline.turns_off(*MAP_PARALLELIZATION.turned_off_by):
        return False
    working = [stage for stage in pipeline.trunk if not stage.is_source and stage.op not in FREE]
    if len(working) > 1 and working[-1].op == "batch":
        working.pop()
    last = working[-1] if working else None
    return last is not None and last.op == "map" and last.function is not None and last.function.stateless
