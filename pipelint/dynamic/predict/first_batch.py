"""The time up to the first batch: what it goes to, what part of an epoch it is, and what to do about it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace

from pipelint.display.figures import duration, percent
from pipelint.dynamic.predict.rate_model import RateModel, cost_of
from pipelint.dynamic.profile import INPUT_BOUND, WORTHWHILE, Delay, FirstBatch
from pipelint.knowledge.stages import FREE, MAPS, ONE_TO_ONE, PREFETCHES
from pipelint.model.pipeline import Stage
from pipelint.source.paths import at

_MOST = 0.5
"""The part of the time from which something is what it goes to."""
_FELT = 0.1
"""Seconds below which nobody minds waiting, even in each epoch."""
_MAKING = 5e-3
"""About the seconds that TensorFlow takes to make an iterator, whatever is in it."""
_TAKING_IN = 0.5e-6
"""About what it costs a shuffle to put an element into its buffer."""
_LESS = 0.5
"""The part of the time to fill a buffer that another place for it must spare."""
_ENDLESS = -1
"""The cardinality of a dataset that has no end."""
_IN_ANY_ORDER = ONE_TO_ONE & (MAPS | FREE | PREFETCHES)


def first_batch(model: RateModel) -> FirstBatch | None:
    """How long the first batch takes, what most of that goes to, and what part of an epoch it is."""
    fills = tuple(_fills(model))
    began = _began(model, fills)
    if began is None:
        return None
    began = replace(began, delay=_delay(model, fills, began.waited))
    batches = model.pipeline.end.cardinality
    if batches is None or batches <= 0 or not model.measurement.batches_per_second:
        return began
    behind = (batches - 1) * _mean_period(model, fills, batches)
    return replace(began, epoch_batches=batches, epoch_seconds=began.waited + behind)


def _began(model: RateModel, fills: Sequence[Delay]) -> FirstBatch | None:
    """The time up to it: as measured, or by the costs of the stages where that was not waited for."""
    known, start, rate = model.measurement, model.measurement.start, model.measurement.batches_per_second
    if start is None:
        if known.epoch != "later" or not rate:
            return None
        seconds = _MAKING + sum(fill.seconds for fill in fills) + 1 / rate
        return FirstBatch(seconds, spread=known.spread, predicted=True)
    held = start.buffers_at_most
    left = sum(_left(fill, held) for fill in fills) if held is not None else 0.0
    # Without an end the iterator goes on from epoch to epoch; behind a cache later epochs are another matter.
    ends = model.pipeline.end.cardinality != _ENDLESS and known.epoch != "first"
    is_only_one = not ends or any(consumer.once for consumer in model.pipeline.consumers)
    later = None if is_only_one or start.later_seconds is None else start.later_seconds + left
    return FirstBatch(start.seconds + left, later, start.spread, predicted=held is not None)


def _fills(model: RateModel) -> Iterator[Delay]:
    for stage in model.pipeline.stages:
        if stage.shuffle_buffer is not None and stage.inputs and cost_of(stage).elements:
            yield Delay(stage, _seconds_to_fill(model, stage, stage.shuffle_buffer), stage.shuffle_buffer)


def _seconds_to_fill(model: RateModel, behind: Stage, elements: int) -> float:
    """How long a shuffle takes to take in so many of the elements of a stage's input, as the user runs the pipeline."""
    per_batch = cost_of(behind.inputs[0]).elements or cost_of(behind).elements
    return elements * (model.seconds_before(behind) / per_batch + _TAKING_IN)


def _left(fill: Delay, held: int) -> float:
    """The time to fill a buffer that was not waited for, since it held no more than so many."""
    assert fill.elements is not None
    return fill.seconds * max(0.0, 1 - held / fill.elements)


def _delay(model: RateModel, fills: Sequence[Delay], seconds: float) -> Delay | None:
    begins = [Delay(stage, cost_of(stage).start_seconds) for stage in model.pipeline.every_stage]
    longest = max((*fills, *begins), key=lambda delay: delay.seconds, default=None)
    if longest is None or longest.seconds < _MOST * seconds:
        return None
    return Delay(longest.stage, min(longest.seconds, seconds), longest.elements)


def _period(model: RateModel) -> float:
    """From batch to batch, without the starts of epochs."""
    known = model.measurement
    measured = known.step.period_seconds if known.step is not None else 1 / (known.batches_per_second or math.inf)
    has_starts = known.step.has_starts if known.step is not None else known.start is not None and known.start.in_rate
    if not has_starts:
        return measured
    # The costs of the stages have no starts in them.
    return min(measured, max(_step_seconds(model), 1 / model.limit(model.current).rate))


def _step_seconds(model: RateModel) -> float:
    return model.measurement.step.seconds if model.measurement.step is not None else 0.0


def _mean_period(model: RateModel, fills: Sequence[Delay], batches: int) -> float:
    """From batch to batch in an epoch, part of which needs no more work before the shuffle, whose buffer holds it."""
    period = _period(model)
    longest = max(fills, key=lambda fill: fill.seconds, default=None)
    if longest is None:
        return period
    held = min(1.0, (longest.elements or 0) / (batches * cost_of(longest.stage).elements))
    spared = replace(model.current, cached=frozenset(longest.stage.upstream(inside=True)))
    ready = min(period, max(_step_seconds(model), 1 / model.rate(spared)))
    return held * ready + (1 - held) * period


def about_start(model: RateModel, first: FirstBatch | None) -> Iterator[str]:
    """What would spare a part of each epoch that is worth it, in one line."""
    if first is None or first.delay is None or not first.epoch_batches or model.measurement.epoch == "first":
        return
    steady = first.epoch_batches * _period(model)
    # What a buffer holds is made either way: lost is only what could be made while the consumer is busy.
    is_lost = (first.epoch_seconds or 0.0) >= WORTHWHILE * steady
    if is_lost and first.waited >= _FELT and (first.share or 0.0) >= INPUT_BOUND:
        instead = _other_buffer(model, first.delay, steady) if first.delay.elements else _once(first.delay.stage)
        yield f"{percent(first.share)} of an epoch is waiting for its first batch: {instead}"


def _once(source: Stage) -> str:
    return f"what the {source.op}{at(source.place)} does before its first element is done in each epoch anew"


def _other_buffer(model: RateModel, fill: Delay, steady: float) -> str:
    """A place for a shuffle where its buffer fills in less time, else a buffer that does."""
    shuffle, elements = fill.stage, fill.elements or 0
    where = f"the shuffle{at(shuffle.place)}"
    places = {stage: _seconds_to_fill(model, stage, elements) for stage in _may_pass(shuffle)}
    best = min(places, key=lambda stage: places[stage], default=None)
    if best is not None and places[best] <= _LESS * fill.seconds:
        before = f"the {best.op}{at(best.place)}"
        return f"{where} fills its buffer in about {duration(places[best])} if it stands before {before}"
    fewer = int(elements * INPUT_BOUND * steady / fill.seconds)
    return f"with a buffer of {fewer:,} elements {where} would take {percent(INPUT_BOUND)} of it, and mix less"


def _may_pass(shuffle: Stage) -> Iterator[Stage]:
    """The stages that a shuffle may stand before as well: they give one element for each, whatever the order."""
    for stage in shuffle.straight_up():
        if stage.op not in _IN_ANY_ORDER or stage.helper or not stage.inputs:
            return
        yield stage
