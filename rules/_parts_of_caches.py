"""Whether a cache is ever read to its end, or only a part of it."""

from __future__ import annotations

from pipelint.rule import BATCHING, Pipeline, Program, Stage

from ._batching import batch_sizes
from ._little_data import elements_of


def may_take_all(cache: Stage, take: Stage) -> bool:
    """Whether as many elements may be taken as there are: their number is not written, or is that of all."""
    count, elements = take.argument("count"), elements_of(Pipeline(cache))
    number = count.integer if count is not None else None
    if number is None or number < 0 or elements is None:
        return number is None or number < 0
    if not any(stage.op in BATCHING for stage in take.straight_up_to(cache)):
        return number >= elements
    examples = [size.examples for size in batch_sizes(Pipeline(take))]
    return not examples or number * min(examples) >= elements


def is_read_to_the_end(program: Program, cache: Stage) -> bool:
    """Whether something reads the same cached dataset and takes no part of it, so that the cache is filled once."""
    return any(
        stage.gives == cache.gives and not any(later.op == "take" for later in stage.downstream())
        for dataset in program.datasets
        for variant in dataset.variants
        for stage in variant.stages
    )
