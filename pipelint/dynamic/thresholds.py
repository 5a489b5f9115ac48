"""What a pull request must not break: limits for a profile."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from pipelint.display.figures import off_by, percent, share_within
from pipelint.dynamic.comparison import Comparison, compared, named
from pipelint.dynamic.profile import PipelineProfile, Profile
from pipelint.knowledge.consumption import ConsumerKind, Purpose
from pipelint.model.locations import Location


@dataclass(frozen=True)
class Thresholds:
    """What the command line asks of a profile."""

    max_input_bound: float | None = None
    """From 0 to 1."""
    min_batches_per_second: float | None = None
    compare: Path | None = None
    """The JSON of an earlier run."""


def comparison(profile: Profile, thresholds: Thresholds) -> Comparison:
    """What the profile is beside the earlier one; nothing where none is asked for."""
    return compared(profile, thresholds.compare) if thresholds.compare else Comparison()


def violations(profile: Profile, thresholds: Thresholds) -> list[str]:
    """What of the limits does not hold for certain, one line each: all of the figure's interval lies beyond.

    They are about training in its steady state: the first epoch does not count where a cache serves the later
    ones, nor do validation pipelines.
    """
    training = _steady_training(profile.pipelines)
    lines = [] if training else _uncheckable(thresholds)
    for pipeline in training:
        lines += _above(pipeline, thresholds.max_input_bound)
        lines += _below(pipeline, thresholds.min_batches_per_second)
    return lines


def _uncheckable(thresholds: Thresholds) -> list[str]:
    options = {
        "--max-input-bound": thresholds.max_input_bound,
        "--min-batches-per-second": thresholds.min_batches_per_second,
    }
    return [f"{name} cannot be checked: no pipeline was measured" for name, at in options.items() if at is not None]


def _steady_training(pipelines: tuple[PipelineProfile, ...]) -> list[PipelineProfile]:
    """The training pipelines, or else the first one, in the epochs that most of a run consists of."""
    training = [one for one in pipelines if one.consumer.purpose is Purpose.TRAINING]
    chosen = training or [one for one in pipelines if _consumption(one) == _consumption(pipelines[0])]
    served = {_consumption(one) for one in chosen if one.measurement.epoch == "later"}
    return [one for one in chosen if one.measurement.epoch != "first" or _consumption(one) not in served]


def _consumption(pipeline: PipelineProfile) -> tuple[ConsumerKind, Location]:
    """What its epochs have in common; the pipelines themselves come from another process, each with its consumer."""
    return pipeline.consumer.kind, pipeline.consumer.region


def _above(pipeline: PipelineProfile, most: float | None) -> Iterator[str]:
    if most is None:
        return
    step = pipeline.step
    if step is None:
        yield f"{named(pipeline)}: --max-input-bound cannot be checked, because no step was measured"
    elif step.waiting_share - step.waiting_spread > most:
        spent = f"{share_within(step.waiting_share, step.waiting_spread)} of step time goes to input"
        yield f"{named(pipeline)}: {spent}, more than {percent(most)}"


def _below(pipeline: PipelineProfile, least: float | None) -> Iterator[str]:
    if least is None:
        return
    rate, spread = pipeline.measurement.batches_per_second, pipeline.measurement.spread
    if rate is None:
        yield f"{named(pipeline)}: --min-batches-per-second cannot be checked, because it was not measured"
    elif rate * (1 + spread) < least:
        yield f"{named(pipeline)}: {rate:.4g} batches/s{off_by(spread)}, fewer than {least:.4g}"
