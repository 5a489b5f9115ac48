"""Work that is done for elements which a later stage drops."""

from __future__ import annotations

from pipelint.rule import MAPS, PREFETCHES, Effect, Stage

from ._choices import stand_together

_DROPS = frozenset({"skip", "shard"})
"""Stages that take elements only to drop them. `take` asks for no more than it gives."""
_DEAR = 0.1
"""The share of a measured pipeline's time from which it pays to compute less."""
_FEW = 16
"""So many are over at once: the lines above a table."""


def dropped_by(stage: Stage) -> bool:
    """Whether a stage drops more than a few of the elements that it asks for."""
    count = stage.argument("index" if stage.op == "shard" else "count")
    few = stage.op == "skip" and count is not None and count.integer is not None and count.integer <= _FEW
    return stage.op in _DROPS and count is not None and not few


def costly_maps_before(stage: Stage) -> tuple[Stage, ...]:
    """The maps before a stage, nearest first, up to the farthest that costs and that changes places with it."""
    maps: list[Stage] = []
    for earlier in stage.straight_up():
        if earlier.op not in {"map"} | PREFETCHES or len(earlier.inputs) != 1:
            break
        maps += [earlier] if earlier.op in MAPS else []
    while maps and not (_costs(maps[-1]) and stand_together(maps[-1], stage)):
        maps.pop()
    return tuple(maps)


def _costs(stage: Stage) -> bool:
    """Whether it is known to cost by what it does, or as measured."""
    measured = stage.share is not None and stage.share >= _DEAR
    return measured or stage.cause(Effect.DECODE, Effect.READ, Effect.PYTHON) is not None
