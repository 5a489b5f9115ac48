"""How often loops turn, as far as that is written: in their bounds, or in the size of the data that they run over."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from pipelint.rule import ConsumerKind, Loop, LoopOver, Pipeline, Program, Region

from ._batching import batch_sizes
from ._little_data import elements_of

_WHOLE = 10_000
"""Examples with which a model computes for much longer than the dispatch of its operations takes: a test set of Keras."""


def gives_few_batches(program: Program, loop: Loop) -> bool:
    """Whether a loop runs over a dataset of which one batch holds all examples, or so many that only they take time."""
    looped = _looped(program, loop)
    return bool(looped) and all(map(_is_one_batch, looped))


def turn_at_most(program: Program, loops: Sequence[Loop], times: int) -> bool:
    """Whether loops, each in the one before, are written to turn no more often than this in all."""
    turns = (_turns(program, loop) for loop in loops)
    return prod(times + 1 if turn is None else turn for turn in turns) <= times


def _turns(program: Program, loop: Loop) -> int | None:
    """How often a loop turns at most, as it says or by the size of the dataset that it runs over."""
    if loop.at_most is not None or loop.over is not LoopOver.DATASET:
        return loop.at_most
    batches = [_batches(pipeline) for pipeline in _looped(program, loop)]
    known = [number for number in batches if number is not None]
    return max(known) if known and len(known) == len(batches) else None


def _batches(pipeline: Pipeline) -> int | None:
    """How many batches come out at most; None where that is not known."""
    elements = elements_of(pipeline)
    sizes = [size.examples for size in batch_sizes(pipeline) if not size.assumed]
    if elements is None or elements < 0 or not sizes or any(stage.op == "repeat" for stage in pipeline.stages):
        return None
    return -(-elements // min(sizes))


def _looped(program: Program, loop: Loop) -> list[Pipeline]:
    """The pipelines that a loop runs over."""
    return [
        pipeline
        for pipeline in program.pipelines
        for user in pipeline.consumers
        if user.kind is ConsumerKind.LOOP and isinstance(user.region, Region) and loop.region.holds(user.region)
    ]


def _is_one_batch(pipeline: Pipeline) -> bool:
    elements = elements_of(pipeline)
    most = _WHOLE if elements is None or elements < 0 else min(elements, _WHOLE)
    sizes = batch_sizes(pipeline)
    return bool(sizes) and all(size.examples >= most and not size.assumed for size in sizes)
