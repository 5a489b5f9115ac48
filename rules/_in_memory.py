"""Whether the elements of a pipeline are in memory, so that little is done for each of them."""

from __future__ import annotations

from pipelint.rule import COUNTERS, NO_WORK, Effect, Pipeline, Program, Stage, once_a_pipeline

from ._caching import has_file
from ._endless import endless_repeat
from ._passes import is_passed_once


@once_a_pipeline
def is_in_memory(pipeline: Pipeline) -> bool:
    """Whether the elements are there already, as far as is known, but for a stateless computation."""
    return not any(map(_takes_time, pipeline.every_stage))


@once_a_pipeline
def comes_from_memory(pipeline: Pipeline) -> bool:
    """The same, where every source is in sight."""
    return is_in_memory(pipeline) and all(stage.is_source or stage.inputs for stage in pipeline.every_stage)


@once_a_pipeline
def only_gathers(pipeline: Pipeline) -> bool:
    """Whether elements out of memory are only put in order, in batches or aside, and nothing is computed for them."""
    functions = (stage.function for stage in pipeline.every_stage)
    return comes_from_memory(pipeline) and all(function is None or function.selects for function in functions)


def is_kept(program: Program, pipeline: Pipeline) -> bool:
    """Whether a cache gives the elements from the second pass on, with nothing behind it that works.

    Out of a file that takes no time for single examples; batches may be large.
    """
    for stage in reversed(pipeline.trunk):
        if stage.op == "cache":
            slow = pipeline.batched and has_file(stage)
            return not (slow or endless_repeat(stage) is not None or is_passed_once(program, pipeline))
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
