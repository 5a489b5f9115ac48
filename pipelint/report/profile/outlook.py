"""Sentences about what lies around the steady state: the first batch of an epoch, and a machine with more to it."""

from __future__ import annotations

from pipelint.display.figures import counted, duration, figure, known, off_by, percent, size
from pipelint.dynamic.profile import INPUT_BOUND, WORTHWHILE, Delay, FirstBatch, PipelineProfile, Scaling, Service
from pipelint.report.profile.sentences import BEYOND_STEPS, rate, unit
from pipelint.source.paths import at

_LOCK, _THREAD, _POOL = "lock", "thread", "pool"


def lines(pipeline: PipelineProfile) -> list[str]:
    """Each of them that there is something to say about."""
    return list(filter(None, [first_batch(pipeline), scaling(pipeline)]))


def first_batch(pipeline: PipelineProfile) -> str:
    """How long it takes, what that goes to, and what part of an epoch it is where that is felt."""
    first = pipeline.first_batch
    if first is None or not known(first.seconds):
        return ""
    parts = [f"first {unit(pipeline)}{_of_epochs(first)}{_delay(first.delay)}"]
    if known(first.share) and first.share >= INPUT_BOUND and first.epoch_batches is not None:
        batches = f"{first.epoch_batches:,} {unit(pipeline, first.epoch_batches)}"
        parts.append(f"that is {percent(first.share)} of an epoch of {batches} ({duration(first.epoch_seconds)})")
    return "; ".join(parts)


def _of_epochs(first: FirstBatch) -> str:
    after = f"after {duration(first.seconds)}{off_by(first.spread)}"
    if first.predicted:
        after = f"after about {duration(first.seconds)} (predicted)"
    later = first.later_seconds
    if later is None:
        return f" {after}"
    if abs(first.seconds - later) <= max(first.spread, INPUT_BOUND) * later:
        return f" of each epoch {after}"
    return f" {after}, in later epochs after {duration(later)}"


def _delay(delay: Delay | None) -> str:
    if delay is None:
        return ""
    where = at(delay.stage.place)
    if delay.elements is None:
        return f", about {duration(delay.seconds)} until the {delay.stage.op}{where} has begun"
    each = f"{delay.elements:,} elements at {duration(delay.seconds / delay.elements)}"
    return f", about {duration(delay.seconds)} to fill the shuffle buffer{where} ({each})"


def scaling(pipeline: PipelineProfile) -> str:
    """What twice the cores would give, and how many workers of a service would feed the step."""
    more, now = pipeline.scaling, pipeline.measurement.batches_per_second
    if more is None or not known(now) or now <= 0 or now > BEYOND_STEPS:
        return ""
    return "; ".join(filter(None, [_cores(pipeline, more, now), _service(pipeline, more.service)]))


def _cores(pipeline: PipelineProfile, more: Scaling, now: float) -> str:
    gain = more.batches_per_second / now
    if gain >= WORTHWHILE:
        return f"twice the cores would give about {rate(more.batches_per_second, unit(pipeline))} ({figure(gain)}x)"
    where = f"the {more.held_by.op}{at(more.held_by.place)}" if more.held_by is not None else "one stage"
    why = {
        _LOCK: f"{where} holds Python's interpreter lock",
        _THREAD: f"{where} makes its calls in no more threads than now",
        _POOL: "the threads for mapped functions are set in the options",
    }
    return f"twice the cores would give no more: {why.get(more.resource, f'{where} bounds it')}"


def _service(pipeline: PipelineProfile, service: Service | None) -> str:
    if service is None:
        return ""
    if service.only_here is not None:
        stage = f"the {service.only_here.op}{at(service.only_here.place)}"
        return f"a tf.data service cannot help as it stands: its workers cannot run the Python code of {stage}"
    if service.workers is None or service.batches_per_second is None:
        return "a tf.data service would give no more: its batches take too long to send"
    sent = f", {size(service.bytes_per_second)}/s to send" if service.bytes_per_second else ""
    workers = counted(service.workers, "worker", "workers")
    fed = rate(service.batches_per_second, unit(pipeline))
    return f"a tf.data service of {workers} like this machine at its limit would give the step {fed}{sent}"
