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
    Dataset,
    Effect,
    Pipeline,
    Program,
    Stage,
)

from ._caching import has_file, never_fills
from ._little_data import is_a_handful
from ._passes import is_passed_once
from ._purpose import evaluates_beside_training


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


def needs_no_prefetch(program: Program, datasets: Iterable[Dataset]) -> bool:
    """Whether TensorFlow inserts a prefetch for few elements, or for what evaluates beside the training, out of memory."""
    pipelines = [variant for dataset in datasets for variant in dataset.variants]
    if hinders_prefetch(program, pipelines) is not None:
        return False
    in_memory = all(_comes_from_memory(pipeline) or _is_kept(program, pipeline) for pipeline in pipelines)
    return all(map(is_a_handful, pipelines)) or (in_memory and evaluates_beside_training(program, pipelines))


def loops_over_python(dataset: Dataset) -> bool:
    """Whether a loop of the program, which may change what Python code gives next, takes what that gives."""
    loops = any(consumer.kind in (ConsumerKind.LOOP, ConsumerKind.ITERATOR) for consumer in dataset.consumers)
    return loops and any(stage.runs_python for variant in dataset.variants for stage in variant.every_stage)


def needs_no_parallel_calls(program: Program, pipeline: Pipeline, stage: Stage) -> bool:
    """Whether TensorFlow makes a map parallel of few elements, or of what memory holds to evaluate beside the training."""
    stateless = stage.function is not None and stage.function.stateless
    if not stateless or pipeline.nested_in is not None or program.target < MAP_PARALLELIZATION.since:
        return False
    if pipeline.turns_off(*MAP_PARALLELIZATION.turned_off_by):
        return False
    return is_a_handful(pipeline) or (_comes_from_memory(pipeline) and evaluates_beside_training(program, [pipeline]))


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
    return Hindrance.IN_MEMORY if all(map(_is_in_memory, pipelines)) else Hindrance.VERSION


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


def _is_in_memory(pipeline: Pipeline) -> bool:
    """Whether the elements are there already, as far as is known, but for a stateless computation."""
    return not any(map(_takes_time, pipeline.every_stage))


def _comes_from_memory(pipeline: Pipeline) -> bool:
    """The same, where every source is in sight."""
    return _is_in_memory(pipeline) and all(stage.is_source or stage.inputs for stage in pipeline.every_stage)


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
