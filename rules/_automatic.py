"""What TensorFlow does to a pipeline by itself, and what keeps it from doing so."""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum

from pipelint.rule import (
    FREE,
    INJECT_PREFETCH,
    READY_MADE,
    Consumer,
    ConsumerKind,
    Dataset,
    Pipeline,
    Program,
    Version,
)

from ._in_memory import comes_from_memory, is_kept, only_gathers
from ._light_elements import are_heavy, are_light, does_little
from ._little_data import is_a_handful, only_reads_hundreds
from ._passes import is_evaluated_once
from ._purpose import evaluates_beside_training
from ._tails import keeps_fused_tail, keeps_parallel_tail, works_ahead


class Hindrance(Enum):
    """Why TensorFlow leaves a pipeline as it is written."""

    FUNCTION = "a loop inside a tf.function, which becomes a reduction of the dataset itself"
    OPTIONS = "turned off by the options"
    VERSION = "an older target"
    FLOOR = "an older target, which is only the oldest of those that the project admits"
    PARALLEL_TAIL = "a last map that TensorFlow makes parallel, so that it works ahead by itself"
    FUSED_TAIL = "a map that TensorFlow fuses with the batch after it, so that they work ahead"
    IN_MEMORY = "an older target, but elements that are there already"
    CACHED = "any of these, but from the second pass on the elements come out of a cache in memory"

    @property
    def costs(self) -> bool:
        """Whether the consumer waits for it."""
        return self in (Hindrance.FUNCTION, Hindrance.OPTIONS)

    @property
    def is_mended(self) -> bool:
        """Whether the consumer waits no longer than with a prefetch, as TensorFlow works ahead or a cache has it all."""
        return self.works_ahead or self is Hindrance.CACHED

    @property
    def works_ahead(self) -> bool:
        """Whether the last stages make elements before the consumer asks for them."""
        return self in (Hindrance.PARALLEL_TAIL, Hindrance.FUSED_TAIL)


def hinders_prefetch(program: Program, pipelines: Iterable[Pipeline]) -> Hindrance | None:
    """What keeps TensorFlow from inserting a prefetch at the end of any of these pipelines; None where it does."""
    hindrance = _left_by(pipelines := tuple(pipelines), program.target, program.newest)
    if hindrance is not None and not hindrance.is_mended and all(is_kept(program, pipeline) for pipeline in pipelines):
        return Hindrance.CACHED
    return hindrance


def works_without(program: Program, pipeline: Pipeline) -> bool:
    """Whether the end of a pipeline works ahead by itself, or only gathers what a cache in memory has."""
    hindrance = hinders_prefetch(program, [pipeline])
    return is_kept(program, pipeline) if hindrance is None else hindrance.is_mended


def is_moot(program: Program, pipelines: Iterable[Pipeline]) -> bool:
    """Whether a prefetch is missing that buys nothing, as TensorFlow does without or inserts it by itself.

    Or only the oldest version that the project admits does not, or the elements are there already. It is worth having
    all the same for large rows of arrays.
    """
    hindrance = hinders_prefetch(program, pipelines := tuple(pipelines))
    little = hindrance is None or hindrance.is_mended or hindrance in (Hindrance.FLOOR, Hindrance.IN_MEMORY)
    return little and not any(map(are_heavy, pipelines))


def needs_no_prefetch(program: Program, pipelines: Iterable[Pipeline]) -> bool:
    """Whether nobody would wait for the elements: a handful, a single evaluation, or, unless that is known to cost, what
    does not train.

    That is what is light, what memory or a parallel tail gives to an evaluation beside the training, and, where
    TensorFlow inserts a prefetch, what memory gives as it is to nobody in sight.
    """
    pipelines = tuple(pipelines)
    if all(is_a_handful(one) or only_reads_hundreds(program.near(one.end.name)) for one in pipelines):
        return True
    if all(is_evaluated_once(program, pipeline) for pipeline in pipelines):
        return True
    hindrance = hinders_prefetch(program, pipelines)
    if hindrance is not None and hindrance.costs:
        return False
    if all(are_light(program, pipeline) or _hands_on(program, pipeline) for pipeline in pipelines):
        return True
    in_memory = all(comes_from_memory(pipeline) or is_kept(program, pipeline) for pipeline in pipelines)
    ahead = all(works_ahead(program.target, pipeline) for pipeline in pipelines)
    if (in_memory or ahead) and evaluates_beside_training(program, pipelines):
        return True
    if hindrance is not None or not all(map(only_gathers, pipelines)):
        return False
    return all(pipeline.dataset is not None and pipeline.dataset.handed_out for pipeline in pipelines)


def _hands_on(program: Program, pipeline: Pipeline) -> bool:
    """Whether hardly anything is done with what a ready-made dataset gives, which works ahead by itself."""
    passing = READY_MADE | FREE
    return all(
        does_little(program, stage) if stage.op == "map" else stage.op in passing and (stage.is_source or stage.inputs)
        for stage in pipeline.every_stage
    )


def loops_over_python(dataset: Dataset) -> bool:
    """Whether a loop of the program, which may change what Python code gives next, takes what that gives."""
    loops = any(consumer.kind in (ConsumerKind.LOOP, ConsumerKind.ITERATOR) for consumer in dataset.consumers)
    return loops and any(stage.runs_python for variant in dataset.variants for stage in variant.every_stage)


def _left_by(pipelines: tuple[Pipeline, ...], target: Version, newest: Version) -> Hindrance | None:
    """Why these versions of TensorFlow leave the end of any of these pipelines as it is, until a cache is filled."""
    if any(_is_reduced(consumer) for pipeline in pipelines for consumer in pipeline.consumers):
        return Hindrance.FUNCTION
    if any(pipeline.turns_off(*INJECT_PREFETCH.turned_off_by) for pipeline in pipelines):
        return Hindrance.OPTIONS
    if all(keeps_parallel_tail(target, pipeline) for pipeline in pipelines):
        return Hindrance.PARALLEL_TAIL
    if all(keeps_fused_tail(target, pipeline) for pipeline in pipelines):
        return Hindrance.FUSED_TAIL
    if newest >= INJECT_PREFETCH.since:
        return None if target >= INJECT_PREFETCH.since else Hindrance.FLOOR
    return Hindrance.IN_MEMORY if all(map(comes_from_memory, pipelines)) else Hindrance.VERSION


def _is_reduced(consumer: Consumer) -> bool:
    """Whether a graph loops over the dataset itself; TensorFlow rewrites what it takes from through an iterator."""
    return consumer.in_tf_function and consumer.kind is ConsumerKind.LOOP
