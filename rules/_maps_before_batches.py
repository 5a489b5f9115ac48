"""Maps that would give the same behind the batch that follows them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from pipelint.rule import FREE, PREFETCHES, SHUFFLES, Stage

_STAYS = FREE | SHUFFLES | PREFETCHES
"""Stages that give the same elements whether a function is applied before them or behind the batch."""


def proven_by_run(batch: Stage) -> tuple[Stage, ...]:
    """The maps before a batch that a run had behind it, in their order."""
    maps: tuple[Stage, ...] = ()
    for stage in batch.straight_up():
        if stage.op == "map":
            maps = (stage, *maps)
            if stage.tried is not None:
                return maps
        elif stage.op not in _STAYS:
            return ()
    return ()


def alike_in_batches(batch: Stage) -> Stage | None:
    """The first of the maps before a batch, where these are all that is done to slices of arrays."""
    first = None
    for stage in batch.straight_up():
        if stage.op == "map" and stage.function is not None and (stage.function.elementwise or stage.function.selects):
            first = stage if stage.function.elementwise else first
        elif stage.op not in _STAYS:
            return first if stage.op == "from_tensor_slices" else None
    return None


def labels(maps: Iterable[Stage]) -> Iterator[str]:
    """How a message speaks of their functions."""
    return (stage.function.label for stage in maps if stage.function is not None)
