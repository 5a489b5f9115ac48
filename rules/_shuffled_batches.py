"""Which shuffles move batches instead of examples."""

from __future__ import annotations

from typing import NamedTuple

from pipelint.rule import (
    BATCHING,
    RETURNS_DATASETS,
    TAKES_APART,
    Argument,
    Literal,
    Pipeline,
    Product,
    Program,
    Region,
    Stage,
)

from ._shuffling import shuffles

_ENOUGH = 10_000
"""Examples among which a shuffle mixes well, and that are more than most have of batches."""
_OTHER_ELEMENTS = TAKES_APART | RETURNS_DATASETS | {"group_by_window"}


def batch_before(shuffle: Stage) -> Stage | None:
    """The first stage that batches before the shuffle, None if the elements are shuffled, or are no batches."""
    batch: Stage | None = None
    for stage in shuffle.straight_up():
        if stage.op in _OTHER_ELEMENTS and (batch is None or not _reads_examples(stage)):
            return None
        if stage.op in BATCHING:
            size = stage.argument("batch_size")
            batch = stage if size is None or size.integer != 1 else None
    everything = [stage for part in shuffle.upstream() for stage in (part, *part.inner_stages)]
    if batch is None or not batch.inputs or any(_shuffles(stage) or stage.yields_batches for stage in everything):
        return None
    return batch


def _reads_examples(stage: Stage) -> bool:
    """Whether an `interleave` or `flat_map` reads single examples, which it puts in the same order in each epoch."""
    inner = [part.op for part in stage.inner_stages]
    return stage.op in RETURNS_DATASETS and bool(inner) and not _OTHER_ELEMENTS.union(BATCHING).intersection(inner)


class ExampleBuffer(NamedTuple):
    """The buffer that holds as many examples as one of batches does."""

    text: str
    product: Product


def buffer_of_examples(program: Program, shuffle: Stage, batch: Stage) -> ExampleBuffer | None:
    """The buffer of a shuffle of batches times their size, where it is a number that is known.

    Not where that is enough for examples as it is: as many of them may well have been meant, as by a number that is
    computed, such as that of all examples.
    """
    buffer, size = shuffle.argument("buffer_size"), batch.argument("batch_size")
    if buffer is not None and (buffer.integer is None or buffer.integer >= _ENOUGH):
        return None
    between = [stage for stage in shuffle.straight_up_to(batch) if stage.op in BATCHING]
    if buffer is None or size is None or len(between) > 1:
        return None
    written = [_written(program, argument) for argument in (buffer, size)]
    if not all(text.replace(".", "").replace("_", "").replace(" * ", "").isalnum() for text in written):
        return None
    return ExampleBuffer(" * ".join(written), Product(buffer.region, size.region))


def _written(program: Program, argument: Argument) -> str:
    place = argument.region
    return program.written(place) if isinstance(place, Region) else ""


def is_settled(pipeline: Pipeline, shuffle: Stage) -> bool:
    """Whether some way through the program batches behind this shuffle, or shuffles before the batch as well."""
    ways = list(pipeline.counterparts(shuffle))
    batched = any(later.op in BATCHING for stage in ways for later in stage.downstream())
    return batched or any(_shuffles(earlier) for stage in ways for earlier in stage.upstream())


def _shuffles(stage: Stage) -> bool:
    if stage.op == "list_files":
        shuffled = stage.argument("shuffle")
        return shuffled is None or shuffled.value != Literal(False)
    return shuffles(stage)
