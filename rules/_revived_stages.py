"""What a stage that is dropped today would do to the code below if it took effect."""

from __future__ import annotations

from pipelint.rule import (
    BATCHING,
    SHUFFLES,
    SPLITS,
    TAKES_APART,
    ConsumerKind,
    Dataset,
    Effect,
    Literal,
    Location,
    Program,
    Stage,
)

_MOST_DECODED = 1000
"""Decoded elements that a shuffle may hold at once: as many pictures of the size that networks take fill half a GB."""
_HANDLES_ELEMENTS = frozenset({ConsumerKind.LOOP, ConsumerKind.ITERATOR, ConsumerKind.COLLECTION})


def breaks_code_below(program: Program, stage: Stage) -> bool:
    """Whether the code below would get what it is not written for.

    Elements of another rank than loops get today, what is written for those of a stage that does this, or other parts
    of the elements in each epoch. Or a buffer of decoded elements that memory may not have room for, or a part of the
    batches, of which there are fewer than of the examples that it may be meant to count.
    """
    if _fills_memory(stage) or (stage.op in SPLITS and any(earlier.op in BATCHING for earlier in stage.upstream())):
        return True
    sources = {part.call for part in stage.inputs}
    holding = [data for data in program.datasets if _holds(data, sources)]
    looped = any(user.kind in _HANDLES_ELEMENTS for data in holding for user in data.consumers)
    so_far = program.discarded[: program.discarded.index(stage)]
    beside = (other.op for other in so_far if not sources.isdisjoint(part.call for part in other.inputs))
    if any(op in TAKES_APART or (looped and op in BATCHING) for op in (stage.op, *beside)):
        return True
    return _reshuffles(stage) and any(_splits(data, sources) for data in holding)


def _holds(dataset: Dataset, calls: set[Location]) -> bool:
    return any(stage.call in calls for variant in dataset.variants for stage in variant.stages)


def _reshuffles(stage: Stage) -> bool:
    """Whether it gives each epoch an order of its own."""
    again = stage.argument("reshuffle_each_iteration")
    return stage.op in SHUFFLES and (again is None or again.value != Literal(False))


def is_shuffle_of_loaded_batches(stage: Stage) -> bool:
    """Whether a shuffle moves whole batches, as a source makes them that loads files or slices arrays in windows."""
    return stage.op in SHUFFLES and any(earlier.is_source and earlier.yields_batches for earlier in stage.upstream())


def _fills_memory(stage: Stage) -> bool:
    """Whether a shuffle would hold many decoded elements or batches, or who knows how many."""
    if is_shuffle_of_loaded_batches(stage):
        return True
    size = stage.argument("buffer_size") if stage.op in SHUFFLES else None
    if size is None or (size.integer is not None and size.integer <= _MOST_DECODED):
        return False
    functions = (earlier.function for earlier in stage.upstream())
    return any(function is not None and function.cause(Effect.DECODE) is not None for function in functions)


def _splits(dataset: Dataset, calls: set[Location]) -> bool:
    """Whether the dataset is what another part leaves of the elements behind one of these calls."""
    stages = (stage for variant in dataset.variants for stage in variant.stages if stage.call in calls)
    return any(later.op == "skip" for stage in stages for later in stage.downstream())
