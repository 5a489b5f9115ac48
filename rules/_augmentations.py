"""What maps change at random, as training data is augmented."""

from __future__ import annotations

from pipelint.rule import MAPS, Cause, Pipeline, Stage

from ._caching import is_cached_later
from ._choices import stand_together


def augmentation(pipeline: Pipeline, stage: Stage) -> Cause | None:
    """What a map changes at random, unless a flag that nothing in sight decides turns it on, or a cache keeps it."""
    cause = _drawn(stage)
    if cause is None or cause.switch or is_cached_later(stage):
        return None
    if not all(map(_drawn, pipeline.counterparts(stage))):
        return None  # one of several objects maps it, and those for evaluation leave it out
    return cause if stand_together(stage, pipeline.end) else None


def _drawn(stage: Stage) -> Cause | None:
    return stage.function.augmentation if stage.op in MAPS and stage.function is not None else None
