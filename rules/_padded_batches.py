"""Loops whose batches differ in shape, so that a `tf.function` makes a graph for each new one unless it is told not to."""

from __future__ import annotations

from pipelint.rule import ConsumerKind, Loop, Program, Region, Stage

_PADS = frozenset({"padded_batch", "bucket_by_sequence_length"})
"""Stages that make the examples of a batch as long as the longest of them."""


def has_padded_batches(program: Program, loop: Loop) -> bool:
    """Whether a loop runs over a dataset whose batches are each as long as their longest example."""
    return any(
        consumer.kind is ConsumerKind.LOOP
        and isinstance(consumer.region, Region)
        and loop.region.holds(consumer.region)
        and any(map(_pads_to_the_longest, pipeline.stages))
        for pipeline in program.pipelines
        for consumer in pipeline.consumers
    )


def _pads_to_the_longest(stage: Stage) -> bool:
    shapes = stage.argument("padded_shapes")
    return stage.op in _PADS and (shapes is None or not _is_whole(shapes.constant))


def _is_whole(shape: object) -> bool:
    """Whether a shape, or each of several, has a number for each axis."""
    return all(map(_is_whole, shape)) if isinstance(shape, (list, tuple)) else isinstance(shape, int) and shape >= 0
