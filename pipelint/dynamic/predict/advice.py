"""What the rules of the catalogue say of a measured pipeline, each with what it would give."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from pipelint.display.figures import duration, size
from pipelint.dynamic.predict.live_program import live_program
from pipelint.dynamic.predict.memory import CachePlace
from pipelint.dynamic.predict.operational import NEGLIGIBLE, Operations, can_be_parallel
from pipelint.dynamic.predict.source_fixes import Repairs
from pipelint.dynamic.predict.what_if import WhatIf, Wish, cached, unrepaired, with_waiting_threads
from pipelint.dynamic.profile import INPUT_BOUND, WORTHWHILE, Suggestion
from pipelint.dynamic.wording import path_of, percentage, times, where
from pipelint.model.finding import Finding
from pipelint.model.grades import Safety, Severity
from pipelint.model.locations import Place
from pipelint.project.projects import Project
from pipelint.rule import Rule
from pipelint.source.errors import internal_error

_BEYOND_TELLING = 100.0
_POOL = "options.threading.private_threadpool_size"


@dataclass
class Advice:
    """Suggestions and remarks about one pipeline."""

    suggestions: list[Suggestion] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)


def is_input_bound(operations: Operations) -> bool:
    """Whether a pipeline is worth speeding up: its consumer waits for it, or is not known."""
    step = operations.pipeline.step
    return step is None or step.waiting_share >= INPUT_BOUND


def advise(operations: Operations, version: str, project: Project, cache: CachePlace | None) -> Advice:
    """What would make a pipeline faster or right, the largest gain first."""
    adviser = _Adviser(operations, version, project)
    best: dict[tuple[str, str | None, int | None, int | None], Suggestion] = {}
    for suggestion in adviser.suggestions():
        key = (suggestion.code, suggestion.path, suggestion.line, suggestion.column)
        best[key] = max(best.get(key, suggestion), suggestion, key=_weight)
    advice = Advice(sorted(best.values(), key=_weight, reverse=True), adviser.faults)
    if is_input_bound(operations):
        named = {suggestion.stage for suggestion in advice.suggestions if _POOL in suggestion.message}
        advice.remarks += [*_about_threads(operations, named), *_about_cache(operations, cache)]
    return advice


def _weight(suggestion: Suggestion) -> tuple[float, int]:
    return suggestion.predicted_speedup or 0.0, suggestion.severity.weight


class _Adviser:
    """The rules at work on one live pipeline."""

    def __init__(self, operations: Operations, version: str, project: Project) -> None:
        self._operations = operations
        self._project = project
        self._repairs = Repairs(project)
        self._live = live_program(operations, version)
        self._what_if = WhatIf(operations, self._live.recorded)
        self.faults: list[str] = []

    def suggestions(self) -> Iterator[Suggestion]:
        """What the rules find, as far as it is worth a word."""
        settings = self._project.settings
        for registered in self._project.registry:
            # A rule that is off by default for want of a measurement has one here.
            if registered.examines_suppressions or not settings.selects(registered.code, registered.name, True):
                continue
            rule = registered.type(settings.rule_options.get(registered.name))
            try:
                for finding in rule.check(self._live.program):
                    yield from self._suggestion(self._project.graded(finding), rule)
            except Exception as error:  # noqa: BLE001 - one rule's fault must not cost the measurement
                self.faults.append(internal_error(f"{rule.code} ({rule.name})", error, registered.file).message)

    def _suggestion(self, finding: Finding, rule: Rule) -> Iterator[Suggestion]:
        place = finding.location if isinstance(finding.location, Place) else None
        if place is not None and self._project.settings.ignored_in(Path(place.path), rule.code, rule.name):
            return
        stage = self._live.recorded[finding.stage].id if finding.stage is not None else None
        fix = self._repairs.of(finding.code, place) if finding.fix else None
        wish = self._wish(finding, rule, stage)
        gain, facts = self._gain(wish), [finding.message, *self._facts(wish)]
        for part in sorted(wish.works_on):
            more = _with_threads(self._operations, wish, part)
            # Threads by themselves are nothing that a fix would give.
            helps = gain is not None and (gain >= WORTHWHILE or finding.fix is None)
            if more is not None and gain is not None and helps and more > gain * WORTHWHILE:
                gain, facts = more, [*facts, f"it waits for most of it, so {_more_threads(self._operations, part)}"]
        if finding.fix is not None and fix is None:
            facts.append(f"by hand: {finding.fix.title}")
        if self._is_worth_a_word(finding, rule, wish, gain):
            yield Suggestion(
                code=finding.code,
                name=finding.name,
                severity=finding.severity,
                message="; ".join(facts),
                path=path_of(place) if place else None,
                line=place.line if place else None,
                column=place.column if place else None,
                stage=stage,
                predicted_speedup=gain,
                fix=fix.title if fix else "",
                unsafe=fix is not None and fix.safety is Safety.UNSAFE,
            )

    def _wish(self, finding: Finding, rule: Rule, stage: int | None) -> Wish:
        if finding.severity is Severity.ERROR:
            return Wish(None)
        if finding.fix is not None:
            return self._what_if.of(finding.fix.repair)
        return unrepaired(self._operations, stage) if rule.evidence is not None and stage is not None else Wish(None)

    def _gain(self, wish: Wish) -> float | None:
        if wish.plan is None:
            return None
        gain = self._operations.speedup(wish.plan)
        if gain is None or gain >= WORTHWHILE or not wish.overlaps or self._operations.pipeline.step is not None:
            return gain
        # What a buffer before the consumer gives depends on the step; most where both take as long.
        most = self._operations.overlap_speedup(wish.plan, 1 / self._operations.rate(self._operations.current))
        return None if most >= WORTHWHILE else most

    def _is_worth_a_word(self, finding: Finding, rule: Rule, wish: Wish, gain: float | None) -> bool:
        if finding.severity is Severity.ERROR:
            return True
        if wish.plan is not None and not is_input_bound(self._operations):
            return False
        if gain is not None:
            return gain >= WORTHWHILE
        # Only a rule that claims speed has evidence; the others are about results.
        return rule.evidence is None or finding.severity is not Severity.ADVICE

    def _facts(self, wish: Wish) -> Iterator[str]:
        """What was measured of the work that a repair is about."""
        operations, step = self._operations, self._operations.pipeline.step
        total = operations.serial_seconds
        for stage in sorted(wish.works_on):
            seconds = sum(operations.cost(part).seconds for part in (stage, *operations.nested(stage)))
            if total and seconds / total >= NEGLIGIBLE:
                spent = f"{duration(seconds)} of {duration(total)} a batch"
                yield f"it takes {percentage(seconds / total)} of the time ({spent})"
        if wish.overlaps and step is not None and total:
            pipeline = 1 / operations.rate(operations.current)
            yield f"the step takes {duration(step.seconds)} a batch and the pipeline {duration(pipeline)}"


def _with_threads(operations: Operations, wish: Wish, stage: int) -> float | None:
    plan = with_waiting_threads(operations, wish.plan, stage) if wish.plan is not None else None
    return operations.speedup(plan) if plan is not None else None


def _more_threads(operations: Operations, stage: int, *extra: str) -> str:
    cycle = (f"`cycle_length={operations.many}`",) if operations.nested(stage) else ()
    settings = (*extra, *cycle, f"`{_POOL} = {operations.many}`")
    verb = "lets" if len(settings) == 1 else "let"
    return f"{' and '.join(settings)} {verb} more calls wait at once than there are cores"


def _about_threads(operations: Operations, named: set[int | None]) -> Iterator[str]:
    """Stages that wait where no rule has anything to say: most often their calls are parallel, but lack threads."""
    for stage in operations.pipeline.stages:
        outer = operations.stages[stage.nested_in] if stage.nested_in is not None else None
        if stage.id in named or (outer is not None and can_be_parallel(outer)):
            continue
        gain = _with_threads(operations, Wish(operations.current), stage.id)
        if gain is not None and gain >= WORTHWHILE:
            waits = f"the {stage.op} at {where(stage.place)} waits for most of its time"
            parallel = () if stage.id in operations.current.threads else ("`num_parallel_calls=tf.data.AUTOTUNE`",)
            yield f"{waits}: {_more_threads(operations, stage.id, *parallel)} (predicted {times(gain)})"


def _about_cache(operations: Operations, cache: CachePlace | None) -> Iterator[str]:
    if cache is None:
        return
    gain = operations.speedup(cached(operations, operations.current, cache.stage))
    if gain is not None and gain >= WORTHWHILE:
        stage = operations.stages[cache.stage]
        worth = f"predicted {times(gain)}" if gain < _BEYOND_TELLING else "later epochs then cost next to nothing"
        behind = f"a cache behind the {stage.op} at {where(stage.place)}"
        yield f"{behind} would hold {size(cache.bytes)} and spare every epoch but the first its work ({worth})"
