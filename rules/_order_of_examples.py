"""In which order examples come: whether it is the same in every epoch, and whether anybody counts on it."""

from __future__ import annotations

from pipelint.rule import (
    BATCHING,
    IN_TIME,
    KEEPS,
    MAPS,
    PREFETCHES,
    REORDERS,
    SPLITTERS,
    Dataset,
    Pipeline,
    Program,
    Purpose,
    Stage,
    once_a_program,
)

from ._batching import batch_sizes
from ._little_data import elements_of, has_few
from ._purpose import proven_purpose
from ._shuffling import shuffles

_SLICES = "from_tensor_slices"
_KEEP_ORDER = (
    MAPS | BATCHING | PREFETCHES | KEEPS | {"apply", "filter", "repeat", "skip", "take", "with_options", "zip"}
)


def is_in_order(program: Program, dataset: Dataset) -> bool:
    """Whether each way to build a dataset of slices keeps their order, and nothing in sight has shuffled these before."""
    ways = dataset.variants
    return dataset.complete and bool(ways) and all(map(_keeps_order, ways)) and not _may_be_shuffled(program, ways[0])


def _keeps_order(pipeline: Pipeline) -> bool:
    return all(map(_is_plain, pipeline.every_stage)) and pipeline.batched


def _is_plain(stage: Stage) -> bool:
    return stage.op == _SLICES if stage.is_source and not stage.inputs else stage.op in _KEEP_ORDER


def _may_be_shuffled(program: Program, pipeline: Pipeline) -> bool:
    near = program.near(pipeline.end.name)
    return reorders(near) or is_about_time(near)


@once_a_program
def reorders(program: Program) -> bool:
    """Whether a program brings something into a random order, or chooses at random, outside of datasets."""
    return any(call.last_name in REORDERS or call.symbol.startswith(SPLITTERS) for call in program.calls)


@once_a_program
def is_about_time(program: Program) -> bool:
    """Whether a model has layers for sequences, whose order may be that of time."""
    return any(call.symbol in IN_TIME for call in program.calls)


def is_of_no_account(program: Program, pipeline: Pipeline) -> bool:
    """Whether there are few examples, or one batch holds them all."""
    elements = elements_of(pipeline)
    largest = max((size.examples for size in batch_sizes(pipeline)), default=0)
    return has_few(program, pipeline) or (elements is not None and 0 <= elements <= largest)


def may_mix(pipeline: Pipeline, reader: Stage) -> bool:
    """Whether nobody counts on the order in which a stage reads: what it gives is shuffled, or trained on."""
    return any(map(shuffles, reader.downstream())) or proven_purpose(pipeline) is Purpose.TRAINING
