"""Loops whose batches differ in shape, so that a `tf.function` makes a graph for each new one unless it is told not to."""

from __future__ import annotations

from pipelint.rule import Loop, Program, Stage

from ._batching import batch_sizes
from ._loop_turns import looped

_PADS = frozenset({"padded_batch", "bucket_by_sequence_length"})
"""Stages that make the examples of a batch as long as the longest of them."""


def where_shapes_differ(program: Program, loop: Loop) -> str:
    """When the batches of a loop have other shapes than those before them, in words; "" where nothing speaks for it."""
    if has_padded_batches(program, loop):
        return "padded batches differ in length"
    sizes = [batch_sizes(pipeline) for pipeline in looped(program, loop)]
    single = bool(sizes) and all(some and all(size.examples == 1 for size in some) for some in sizes)
    return "examples differ in shape" if single else ""


def has_padded_batches(program: Program, loop: Loop) -> bool:
    """Whether a loop runs over a dataset whose batches are each as long as their longest example."""
    return any(_pads_to_the_longest(stage) for pipeline in looped(program, loop) for stage in pipeline.stages)


def _pads_to_the_longest(stage: Stage) -> bool:
    shapes = stage.argument("padded_shapes")
    return stage.op in _PADS and (shapes is None or not _is_whole(shapes.constant))


def _is_whole(shape: object) -> bool:
    """Whether a shape, or each of several, has a number for each axis."""
    return all(map(_is_whole, shape)) if isinstance(shape, (list, tuple)) else isinstance(shape, int) and shape >= 0
