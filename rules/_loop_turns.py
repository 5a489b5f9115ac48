"""How often loops turn, as far as that is written: in their bounds, or in the size of the data that they run over."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, inf, prod

from pipelint.rule import ConsumerKind, Loop, LoopOver, Pipeline, Program, Region

from ._batching import batch_sizes
from ._little_data import elements_of

_WHOLE = 10_000
"""Examples with which a model computes for much longer than the dispatch of its operations takes: a test set of Keras."""


def gives_few_batches(program: Program, loop: Loop) -> bool:
    """Whether a loop runs over a dataset of which one batch holds all examples, or so many that only they take time."""
    known = [_elements_and_batch(pipeline) for pipeline in looped(program, loop)]
    return bool(known) and all(batch >= min(elements, _WHOLE) for elements, batch in known)


def turn_at_most(program: Program, loops: Sequence[Loop], times: int) -> bool:
    """Whether loops, each in the one before, are written to turn no more often than this in all."""
    turns = (_turns(program, loop) for loop in loops)
    return prod(times + 1 if turn is None else turn for turn in turns) <= times


def turn_more_often(program: Program, loops: Sequence[Loop], times: int) -> bool:
    """Whether loops, each in the one before, are known to turn more often than this in all, as nothing ends them early."""
    whole = (loop for loop in loops if loop.always <= loop.guards)
    return prod(_turns(program, loop) or 1 for loop in whole) > times


def _turns(program: Program, loop: Loop) -> int | None:
    """How often a loop turns at most, as it says or by the size of the dataset that it runs over."""
    if loop.at_most is not None or loop.over is not LoopOver.DATASET:
        return loop.at_most
    batches = [_batches(pipeline) for pipeline in looped(program, loop)]
    known = [number for number in batches if number is not None]
    return max(known) if known and len(known) == len(batches) else None


def _batches(pipeline: Pipeline) -> int | None:
    """How many batches come out at most; None where that is not known."""
    elements, batch = _elements_and_batch(pipeline)
    counts = [stage.argument("count") for stage in pipeline.stages if stage.op == "repeat"]
    times = [count.integer for count in counts if count is not None and not count.is_assumed and count.integer]
    if not batch or elements == inf or len(times) < len(counts) or min(times, default=1) < 0:
        return None
    return ceil(elements * prod(times) / batch)


def _elements_and_batch(pipeline: Pipeline) -> tuple[float, int]:
    """How many elements there are at most, and how many the smallest batch holds: 0 where nothing fixes that."""
    elements, sizes = elements_of(pipeline), batch_sizes(pipeline)
    fixed = bool(sizes) and not any(size.assumed for size in sizes)
    most = inf if elements is None or elements < 0 else elements
    return most, min(size.examples for size in sizes) if fixed else 0


def looped(program: Program, loop: Loop) -> list[Pipeline]:
    """The pipelines that a loop runs over."""
    return [
        pipeline
        for pipeline in program.pipelines
        for user in pipeline.consumers
        if user.kind is ConsumerKind.LOOP and isinstance(user.region, Region) and loop.region.holds(user.region)
    ]
