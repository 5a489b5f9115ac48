"""What a pull request must not break: thresholds for a profile, and a comparison with an earlier one."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from pipelint.display.figures import duration, percent
from pipelint.dynamic.profile import PipelineProfile, Profile
from pipelint.knowledge.consumption import ConsumerKind, Purpose
from pipelint.model.locations import Location
from pipelint.source.errors import UserError
from pipelint.source.paths import shown_place

_T = TypeVar("_T")
_VERSION = 1
_NOISE = 0.10
"""The loss of throughput, and the gain in time spent waiting, that a comparison puts up with."""


@dataclass(frozen=True)
class Thresholds:
    """What the command line asks of a profile."""

    max_input_bound: float | None = None
    """From 0 to 1."""
    min_batches_per_second: float | None = None
    compare: Path | None = None
    """The JSON of an earlier run."""


def violations(profile: Profile, thresholds: Thresholds) -> list[str]:
    """What of the thresholds does not hold, one line each.

    They are about training in its steady state: the first epoch does not count where a cache serves the later
    ones, nor do validation pipelines.
    """
    training = _steady_training(profile.pipelines)
    lines = [] if training else _uncheckable(thresholds)
    for pipeline in training:
        lines += _above(pipeline, thresholds.max_input_bound)
        lines += _below(pipeline, thresholds.min_batches_per_second)
    return [*lines, *_regressions(profile, thresholds.compare)] if thresholds.compare else lines


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
    if pipeline.input_bound is None:
        yield f"{_name(pipeline)}: --max-input-bound cannot be checked, because no step was measured"
    elif pipeline.input_bound > most:
        spent = f"{percent(pipeline.input_bound)} of step time is spent waiting for input"
        yield f"{_name(pipeline)}: {spent}, more than {percent(most)}"


def _below(pipeline: PipelineProfile, least: float | None) -> Iterator[str]:
    if least is None:
        return
    rate = pipeline.measurement.batches_per_second
    if rate is None:
        yield f"{_name(pipeline)}: --min-batches-per-second cannot be checked, because it was not measured"
    elif rate < least:
        yield f"{_name(pipeline)}: {rate:.4g} batches/s, fewer than {least:.4g}"


@dataclass(frozen=True)
class _ComparedStage:
    op: str
    where: str
    seconds: float


@dataclass(frozen=True)
class ComparedPipeline:
    """What a comparison looks at, from this run or from an earlier one."""

    kind: tuple[str, str | None]
    """The consumer and the epoch."""
    rate: float | None
    spread: float
    input_bound: float | None
    stages: tuple[_ComparedStage, ...]


def _regressions(profile: Profile, path: Path) -> Iterator[str]:
    before = _numbered(earlier_profile(path), lambda pipeline: pipeline.kind)
    after = _numbered(map(_measured, profile.pipelines), lambda pipeline: pipeline.kind)
    names = dict(zip(after, map(_name, profile.pipelines), strict=True))
    shared = [key for key in after if key in before]
    if not shared:
        yield f"nothing can be compared: {path} holds no pipeline of the same kind"
    for key in shared:
        yield from (f"{names[key]}: {line}" for line in _worse(before[key], after[key]))


def _worse(before: ComparedPipeline, after: ComparedPipeline) -> Iterator[str]:
    if before.rate and after.rate is None:
        yield f"was not measured, so that {before.rate:.4g} batches/s before cannot be compared"
    elif before.rate and after.rate is not None:
        lost = 1 - after.rate / before.rate
        noise = max(_NOISE, before.spread + after.spread)
        if lost > noise:
            rates = f"{after.rate:.4g} batches/s, {before.rate:.4g} before"
            fewer = f"{percent(lost)} fewer, more than the noise of {percent(noise)}"
            yield f"{rates}: {fewer}{_grown(before, after)}"
    waited, waits = before.input_bound, after.input_bound
    if waited is not None and waits is not None and waits > waited + _NOISE:
        share = f"{percent(waits)} of step time is spent waiting for input"
        yield f"{share}, {percent(waited)} before{_grown(before, after)}"


def _grown(before: ComparedPipeline, after: ComparedPipeline) -> str:
    """The stage that takes most more time than before, told apart by its op and its turn among those."""
    old = _numbered(before.stages, lambda stage: stage.op)
    new = _numbered(after.stages, lambda stage: stage.op)
    growth = {key: stage.seconds - (old[key].seconds if key in old else 0.0) for key, stage in new.items()}
    worst = max(growth, key=lambda key: growth[key], default=None)
    if worst is None or growth[worst] <= 0:
        return ""
    past = f"instead of {duration(old[worst].seconds)}" if worst in old else "and is new"
    return f"; the {new[worst].op} at {new[worst].where} takes {duration(new[worst].seconds)} a batch {past}"


def _numbered(items: Iterable[_T], kind: Callable[[_T], Hashable]) -> dict[tuple[Hashable, int], _T]:
    """The items by their kind and their turn among those of that kind."""
    seen: Counter[Hashable] = Counter()
    numbered = {}
    for item in items:
        numbered[kind(item), seen[kind(item)]] = item
        seen[kind(item)] += 1
    return numbered


def _measured(pipeline: PipelineProfile) -> ComparedPipeline:
    stages = tuple(
        _ComparedStage(stage.op, shown_place(stage.place), stage.cost.seconds if stage.cost is not None else 0.0)
        for stage in pipeline.stages
    )
    known = pipeline.measurement
    kind = (pipeline.consumer.kind.value, known.epoch)
    return ComparedPipeline(kind, known.batches_per_second, known.spread, pipeline.input_bound, stages)


def earlier_profile(path: Path) -> list[ComparedPipeline]:
    """What the JSON of an earlier run holds of its pipelines; a UserError where that cannot be compared with."""
    try:
        read = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise UserError(f"--compare: cannot read {path}: {error.strerror or error}") from error
    except ValueError as error:
        reason = f"{path} is not JSON ({' '.join(str(error).split())})"
        raise UserError(f"--compare: {reason}; make it with `pipelint profile --output-format json`") from error
    if not isinstance(read, dict) or not isinstance(read.get("pipelines"), list):
        raise UserError(f"--compare: {path} is not a profile; make it with `pipelint profile --output-format json`")
    if read.get("version") != _VERSION:
        raise UserError(
            f"--compare: {path} is of version {read.get('version')}, and this pipelint reads version {_VERSION}; "
            "make it anew with `pipelint profile --output-format json`"
        )
    try:
        return [_parsed(pipeline) for pipeline in read["pipelines"]]
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise UserError(
            f"--compare: {path} does not hold what a profile holds ({type(error).__name__}: {error}); "
            "make it anew with `pipelint profile --output-format json`"
        ) from error


def _parsed(pipeline: dict[str, Any]) -> ComparedPipeline:
    stages = tuple(
        _ComparedStage(stage["op"], f"{stage['path']}:{stage['line']}", float(stage["seconds_per_batch"] or 0.0))
        for stage in pipeline["stages"]
    )
    rate, waiting = pipeline["batches_per_second"], pipeline["input_bound"]
    return ComparedPipeline(
        kind=(str(pipeline["consumer"]), pipeline["epoch"]),
        rate=None if rate is None else float(rate),
        spread=float(pipeline.get("spread") or 0.0),
        input_bound=None if waiting is None else float(waiting),
        stages=stages,
    )


def _name(pipeline: PipelineProfile) -> str:
    consumer, epoch = pipeline.consumer, pipeline.measurement.epoch
    place = f" at {shown_place(consumer.place)}" if consumer.place is not None else ""
    epochs = f", {epoch} epoch{'s' if epoch == 'later' else ''}" if epoch else ""
    return f"{consumer.kind.value}{place}{epochs}"
