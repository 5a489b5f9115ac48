"""A profile beside an earlier one: what both say, and what has become worse beyond what two runs differ by."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from pipelint.display.figures import duration, off_by, percent, share_within
from pipelint.dynamic.profile import PipelineProfile, Profile
from pipelint.source.errors import UserError
from pipelint.source.paths import shown_place

_T = TypeVar("_T")
_VERSION = 1
_NOISE = 0.10
"""What two runs of the same script differ by at least, whatever each says of itself: the machine is not the same."""
_MORE_WORK = 0.2
"""From here on the stages do more than before. Their times are those of the processors: 20 runs of a script beside
other programs differed by 12% in them at most, though its batches took up to twice as long."""


@dataclass(frozen=True)
class Comparison:
    """What two profiles say of the same pipelines."""

    both: tuple[str, ...] = ()
    """The old and the new figures, one line for each pipeline."""
    regressions: tuple[str, ...] = ()
    """What has become worse, or can no longer be compared, one line each."""


@dataclass(frozen=True)
class _ComparedStage:
    op: str
    where: str
    seconds: float
    runs_as: str | None
    """What TensorFlow has made of it."""


@dataclass(frozen=True)
class _Figure:
    """A figure with the half-width of its interval."""

    value: float
    spread: float


@dataclass(frozen=True)
class ComparedPipeline:
    """What a comparison looks at, from this run or from an earlier one."""

    kind: tuple[str, str | None]
    """The consumer and the epoch."""
    rate: _Figure | None
    waiting: _Figure | None
    stages: tuple[_ComparedStage, ...]

    @property
    def work(self) -> float:
        """The seconds that all stages take for a batch; 0 where they were not measured one by one."""
        return sum(stage.seconds for stage in self.stages)

    def works_like(self, other: ComparedPipeline) -> bool:
        """Whether the same stages run in the same way, with a known time."""
        own, others = ([(stage.op, stage.runs_as) for stage in one.stages] for one in (self, other))
        return own == others and self.work > 0 and other.work > 0


def compared(profile: Profile, path: Path) -> Comparison:
    """The profile beside the JSON of an earlier one."""
    before = _numbered(earlier_profile(path), lambda pipeline: pipeline.kind)
    after = _numbered(map(_measured, profile.pipelines), lambda pipeline: pipeline.kind)
    names = dict(zip(after, map(named, profile.pipelines), strict=True))
    shared = [key for key in after if key in before]
    if not shared:
        return Comparison(regressions=(f"nothing can be compared: {path} holds no pipeline of the same kind",))
    return Comparison(
        both=tuple(f"{names[key]}: {_beside(before[key], after[key])}" for key in shared),
        regressions=tuple(f"{names[key]}: {line}" for key in shared for line in _worse(before[key], after[key])),
    )


def before_and_after(base: Path, head: Path) -> tuple[tuple[str, str, str], ...]:
    """What two profiles in JSON say of each pipeline: its name, and the figures of the one and of the other."""
    before = _numbered(earlier_profile(base, "--profiles"), lambda pipeline: pipeline.kind)
    after = _numbered(earlier_profile(head, "--profiles"), lambda pipeline: pipeline.kind)
    rows = []
    for key in dict.fromkeys([*after, *before]):
        consumer, epoch = (after.get(key) or before[key]).kind
        name = f"{consumer}, {epoch} epoch" if epoch else consumer
        rows.append((f"{name} ({key[1] + 1})" if key[1] else name, _told(before.get(key)), _told(after.get(key))))
    return tuple(rows)


def _told(pipeline: ComparedPipeline | None) -> str:
    if pipeline is None:
        return "not there"
    figures = [_rate(pipeline.rate) if pipeline.rate else "", _share(pipeline.waiting) if pipeline.waiting else ""]
    return ", ".join(filter(None, figures)) or "not measured"


def _beside(before: ComparedPipeline, after: ComparedPipeline) -> str:
    pairs = ((before.rate, after.rate, _rate), (before.waiting, after.waiting, _share))
    told = [f"{words(new)}, {words(old)} before" for old, new, words in pairs if old is not None and new is not None]
    if _is_machine(before, after) and any(_slower(before, after)):
        told.append("its stages do the same work as before, so that the machine must have been slower")
    return "; ".join(told) or "nothing was measured in both runs"


def _rate(figure: _Figure) -> str:
    return f"{figure.value:.4g} batches/s{off_by(figure.spread)}"


def _share(figure: _Figure) -> str:
    return f"{share_within(figure.value, figure.spread)} of step time for input"


def _is_machine(before: ComparedPipeline, after: ComparedPipeline) -> bool:
    """Whether a slower pipeline does no more than before, in the same way: others had the processors."""
    return after.works_like(before) and after.work <= before.work * (1 + _MORE_WORK)


def _worse(before: ComparedPipeline, after: ComparedPipeline) -> Iterator[str]:
    if before.rate and after.rate is None:
        yield f"was not measured, so that {_rate(before.rate)} before cannot be compared"
    elif not _is_machine(before, after):
        slower = list(_slower(before, after))
        yield from slower
        more_work = after.works_like(before) and before.rate and after.rate and after.rate.value < before.rate.value
        if more_work and not slower:
            more = f"a batch takes {duration(after.work)} of work instead of {duration(before.work)}"
            yield f"{more}{_grown(before, after)}"


def _slower(before: ComparedPipeline, after: ComparedPipeline) -> Iterator[str]:
    """What the clock says, beyond both intervals."""
    if before.rate and after.rate is not None and before.rate.value:
        lost = 1 - after.rate.value / before.rate.value
        noise = max(_NOISE, before.rate.spread + after.rate.spread)
        if lost > noise:
            fewer = f"{percent(lost)} fewer, more than the noise of {percent(noise)}"
            yield f"{_rate(after.rate)}, {_rate(before.rate)} before: {fewer}{_grown(before, after)}"
    waited, waits = before.waiting, after.waiting
    if waited is not None and waits is not None:
        noise = max(_NOISE, waited.spread + waits.spread)
        if waits.value > waited.value + noise:
            yield f"{_share(waits)}, {_share(waited)} before{_grown(before, after)}"


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
        _ComparedStage(stage.op, shown_place(stage.place), stage.cost.seconds, stage.cost.rewritten)
        if stage.cost is not None
        else _ComparedStage(stage.op, shown_place(stage.place), 0.0, None)
        for stage in pipeline.stages
    )
    known, step = pipeline.measurement, pipeline.step
    return ComparedPipeline(
        kind=(pipeline.consumer.kind.value, known.epoch),
        rate=_Figure(known.batches_per_second, known.spread) if known.batches_per_second is not None else None,
        waiting=_Figure(step.waiting_share, step.waiting_spread) if step is not None else None,
        stages=stages,
    )


def earlier_profile(path: Path, option: str = "--compare") -> list[ComparedPipeline]:
    """What the JSON of an earlier run holds of its pipelines; a UserError where that cannot be compared with."""
    try:
        read = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise UserError(f"{option}: cannot read {path}: {error.strerror or error}") from error
    except ValueError as error:
        reason = f"{path} is not JSON ({' '.join(str(error).split())})"
        raise UserError(f"{option}: {reason}; make it with `pipelint profile --output-format json`") from error
    if not isinstance(read, dict) or not isinstance(read.get("pipelines"), list):
        raise UserError(f"{option}: {path} is not a profile; make it with `pipelint profile --output-format json`")
    if read.get("version") != _VERSION:
        raise UserError(
            f"{option}: {path} is of version {read.get('version')}, and this pipelint reads version {_VERSION}; "
            "make it anew with `pipelint profile --output-format json`"
        )
    try:
        return [_parsed(pipeline) for pipeline in read["pipelines"]]
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise UserError(
            f"{option}: {path} does not hold what a profile holds ({type(error).__name__}: {error}); "
            "make it anew with `pipelint profile --output-format json`"
        ) from error


def _parsed(pipeline: dict[str, Any]) -> ComparedPipeline:
    stages = tuple(
        _ComparedStage(
            stage["op"],
            f"{stage['path']}:{stage['line']}",
            float(stage["seconds_per_batch"] or 0.0),
            stage.get("rewritten_by_tensorflow"),
        )
        for stage in pipeline["stages"]
    )
    return ComparedPipeline(
        kind=(str(pipeline["consumer"]), pipeline["epoch"]),
        rate=_figure(pipeline["batches_per_second"], pipeline.get("spread")),
        waiting=_figure(pipeline["input_bound"], pipeline.get("input_bound_spread")),
        stages=stages,
    )


def _figure(value: float | None, spread: float | None) -> _Figure | None:
    """A figure of the file; what an earlier version did not write is nothing."""
    return None if value is None else _Figure(float(value), float(spread or 0.0))


def named(pipeline: PipelineProfile) -> str:
    """`fit at train.py:40, later epochs`."""
    consumer, epoch = pipeline.consumer, pipeline.measurement.epoch
    place = f" at {shown_place(consumer.place)}" if consumer.place is not None else ""
    epochs = f", {epoch} epoch{'s' if epoch == 'later' else ''}" if epoch else ""
    return f"{consumer.kind.value}{place}{epochs}"
