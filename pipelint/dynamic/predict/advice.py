"""What the rules of the catalogue say of a measured pipeline, each with what it would give."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from pipelint.display.figures import duration, percent, size
from pipelint.dynamic.predict.memory import CachePlace
from pipelint.dynamic.predict.no_advice import Considered, through_helper, why_no_advice
from pipelint.dynamic.predict.rate_model import Plan, RateModel, can_be_parallel, cost_of
from pipelint.dynamic.predict.what_if import (
    PlanChange,
    cached,
    change_without_repair,
    plan_change_of,
    with_waiting_threads,
)
from pipelint.dynamic.profile import INPUT_BOUND, WORTHWHILE, FindFix, SourceFix, Suggestion
from pipelint.knowledge.stages import BATCHING, FEEDS
from pipelint.model.cost import TrialRun
from pipelint.model.feed import Feed, FeedKind
from pipelint.model.finding import Finding, Fix
from pipelint.model.grades import Severity
from pipelint.model.locations import Location, Place
from pipelint.model.pipeline import Pipeline, Stage
from pipelint.model.program import Program
from pipelint.project.projects import Project
from pipelint.project.rule_contract import ImproperFinding, findings_of
from pipelint.rule import Rule
from pipelint.source.errors import internal_error
from pipelint.source.paths import at, split_cell

_BEYOND_TELLING = 100.0
_NOTABLE = 0.01
"""The share of the time from which a stage's own time is worth a word."""
_POOL = "options.threading.private_threadpool_size"


@dataclass
class Advice:
    """Suggestions and remarks about one pipeline."""

    suggestions: list[Suggestion] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)


def is_input_bound(model: RateModel) -> bool:
    """Whether a pipeline is worth speeding up: its consumer waits for it, or is not known."""
    step = model.measurement.step
    return step is None or step.waiting_share >= INPUT_BOUND


def advise(model: RateModel, version: str, project: Project, find_fix: FindFix, cache: CachePlace | None) -> Advice:
    """What would make a pipeline faster or right, the largest gain first."""
    adviser = _Adviser(model, version, project, find_fix)
    best: dict[tuple[str, Location | None], Suggestion] = {}
    for suggestion in adviser.suggestions():
        key = (suggestion.code, suggestion.place)
        best[key] = max(best.get(key, suggestion), suggestion, key=_weight)
    advice = Advice(sorted(best.values(), key=_weight, reverse=True), adviser.faults)
    if is_input_bound(model):
        named = {suggestion.stage for suggestion in advice.suggestions if _POOL in suggestion.message}
        advice.remarks += [*_about_threads(model, named), *_about_batches(model), *_about_cache(model, cache)]
        if not advice.suggestions and not advice.remarks and (why := why_no_advice(model, adviser.considered)):
            advice.remarks.append(why)
    return advice


def _weight(suggestion: Suggestion) -> tuple[float, int]:
    return suggestion.speedup or 0.0, suggestion.severity.weight


class _Adviser:
    """The rules at work on one live pipeline."""

    def __init__(self, model: RateModel, version: str, project: Project, find_fix: FindFix) -> None:
        self._model = model
        self._project = project
        self._find_fix = find_fix
        self._program = _program(model.pipeline, _version(version))
        self.faults: list[str] = []
        self.considered: list[Considered] = []
        """What would gain too little."""

    def suggestions(self) -> Iterator[Suggestion]:
        """What the rules find, as far as it is worth a word."""
        settings = self._project.settings
        for registered in self._project.registry:
            # A rule that is off by default for want of a measurement has one here.
            if registered.is_about_suppressions or not settings.selects(registered.code, registered.name, True):
                continue
            rule = registered.type(settings.rule_options.get(registered.name))
            try:
                for finding in findings_of(rule, rule.check(self._program)):
                    yield from self._suggestion(self._project.graded(finding), rule)
            except ImproperFinding as error:
                self.faults.append(str(error))
            except (Exception, SystemExit) as error:  # noqa: BLE001 - one rule's fault must not cost the measurement
                what, origin = f"{rule.code} ({rule.name})", registered.foreign_origin
                self.faults.append(internal_error(what, error, registered.file, origin).message)

    def _suggestion(self, finding: Finding, rule: Rule) -> Iterator[Suggestion]:
        place = finding.location if isinstance(finding.location, Place) else None
        file = Path(split_cell(place.path)[0]) if place is not None else None
        if file is not None and self._project.settings.ignored_in(file, rule.code, rule.name):
            return
        fix = self._find_fix(finding.code, place) if finding.fix is not None and place is not None else None
        if finding.trial is not None:
            yield from self._tried(finding, finding.trial, fix)
            return
        change = self._plan_change(finding, rule)
        gain, facts = self._gain(change), [finding.message, *self._facts(change)]
        plan, more = change.plan, _with_threads(self._model, change.plan, change.works_on)
        # Threads by themselves are nothing that a fix would give.
        helps = gain is not None and (gain >= WORTHWHILE or finding.fix is None)
        if more is not None and gain is not None and helps and more > gain * WORTHWHILE:
            gain, facts = more, [*facts, f"it waits for most of it, so {_more_threads(self._model, change.works_on)}"]
            plan = _waiting(self._model, change.plan, change.works_on)
        if finding.fix is not None and fix is None:
            facts.append(_by_hand(finding, finding.fix))
        if self._is_worth_a_word(finding, rule, change, gain):
            message = "; ".join(facts)
            trained = self._model.training_speedup(plan) if plan is not None and gain is not None else None
            about = (finding.code, finding.name, finding.severity, message, place, finding.stage)
            yield Suggestion(*about, predicted_speedup=gain, training_speedup=trained, fix=fix)
        elif gain is not None:
            self.considered.append(Considered(finding.code, finding.name, gain))

    def _tried(self, finding: Finding, trial: TrialRun, fix: SourceFix | None) -> Iterator[Suggestion]:
        """What a finding says and a run has shown, where that was faster beyond doubt."""
        if not is_input_bound(self._model):
            return
        if trial.speedup < WORTHWHILE or trial.low <= 1:
            self.considered.append(Considered(finding.code, finding.name, trial.speedup))
            return
        facts = [finding.message, *self._facts(PlanChange(None, finding.stage))]
        if trial.predicted_speedup is not None:
            facts.append(f"from what its stages cost, {_times(trial.predicted_speedup)} was to be expected")
        if finding.fix is not None and fix is None:
            facts.append(_by_hand(finding, finding.fix))
        place = finding.location if isinstance(finding.location, Place) else None
        yield Suggestion(
            *(finding.code, finding.name, finding.severity, "; ".join(facts), place, finding.stage),
            predicted_speedup=trial.predicted_speedup,
            training_speedup=self._model.training_speedup_of(trial.speedup),
            fix=fix,
            trial=trial,
        )

    def _plan_change(self, finding: Finding, rule: Rule) -> PlanChange:
        if finding.severity is Severity.ERROR:
            return PlanChange(None)
        if finding.fix is not None:
            return plan_change_of(finding.fix.repair, self._model)
        # Only a rule that claims speed has evidence.
        if rule.evidence is None or finding.stage is None:
            return PlanChange(None)
        return change_without_repair(self._model, finding.stage)

    def _gain(self, change: PlanChange) -> float | None:
        if change.plan is None:
            return None
        model = self._model
        gain = model.speedup(change.plan)
        if gain is None or gain >= WORTHWHILE or not change.overlaps or model.measurement.step is not None:
            return gain
        # What a buffer before the consumer gives depends on the step; most where both take as long.
        most = model.overlap_speedup(change.plan, 1 / model.rate(model.current))
        return None if most >= WORTHWHILE else most

    def _is_worth_a_word(self, finding: Finding, rule: Rule, change: PlanChange, gain: float | None) -> bool:
        if finding.severity is Severity.ERROR:
            return True
        if change.plan is not None and not is_input_bound(self._model):
            return False
        if gain is not None:
            return gain >= WORTHWHILE
        # Only a rule that claims speed has evidence; the others are about results.
        return rule.evidence is None or finding.severity is not Severity.ADVICE

    def _facts(self, change: PlanChange) -> Iterator[str]:
        """What was measured of the work that a repair is about."""
        model, step, stage = self._model, self._model.measurement.step, change.works_on
        total = model.pipeline.serial_seconds
        if stage is not None and total:
            parts = (stage, *(part for inner in stage.inner for part in inner.every_stage))
            seconds = sum(cost_of(part).seconds for part in parts)
            if seconds / total >= _NOTABLE:
                spent = f"{duration(seconds)} of {duration(total)} a batch"
                yield f"it takes {percent(seconds / total)} of the time ({spent})"
        if change.overlaps and step is not None and total:
            pipeline = 1 / model.rate(model.current)
            yield f"the step takes {duration(step.seconds)} a batch and the pipeline {duration(pipeline)}"


def _by_hand(finding: Finding, fix: Fix) -> str:
    return through_helper(finding.stage) or f"by hand: {fix.title}"


def _program(pipeline: Pipeline, version: tuple[int, int]) -> Program:
    """All that rules may look at: the measured dataset, or what a consumer is fed with instead of one."""
    if pipeline.end.op in FEEDS:
        feeds = [Feed(FeedKind(pipeline.end.op), consumer, stage=pipeline.end) for consumer in pipeline.consumers]
        return Program(version, feeds=tuple(feeds))
    return Program(version, (pipeline.dataset,) if pipeline.dataset is not None else ())


def _version(text: str) -> tuple[int, int]:
    major, minor = text.split(".")[:2]
    return int(major), int(minor)


def _waiting(model: RateModel, plan: Plan | None, stage: Stage | None) -> Plan | None:
    return with_waiting_threads(model, plan, stage) if plan is not None and stage is not None else None


def _with_threads(model: RateModel, plan: Plan | None, stage: Stage | None) -> float | None:
    """What a plan gives with as many threads for a stage as can wait at once."""
    waiting = _waiting(model, plan, stage)
    gain = model.speedup(waiting) if waiting is not None else None
    tried, now = model.measurement.best_batches_per_second, model.measurement.batches_per_second
    # The best setting was run with as many threads; only a longer cycle of an interleave was not.
    is_run = stage is not None and not stage.inner
    return min(gain, max(1.0, tried / now)) if gain is not None and tried and now and is_run else gain


def _more_threads(model: RateModel, stage: Stage | None, *extra: str) -> str:
    cycle = (f"`cycle_length={model.many}`",) if stage is not None and stage.inner else ()
    settings = (*extra, *cycle, f"`{_POOL} = {model.many}`")
    verb = "lets" if len(settings) == 1 else "let"
    return f"{' and '.join(settings)} {verb} more calls wait at once than there are cores"


def _about_threads(model: RateModel, named: set[Stage | None]) -> Iterator[str]:
    """Stages that wait where no rule has anything to say: most often their calls are parallel, but lack threads."""
    for stage in model.pipeline.every_stage:
        outer = stage.nested_in
        if stage in named or (outer is not None and can_be_parallel(outer)):
            continue
        gain = _with_threads(model, model.current, stage)
        if gain is not None and gain >= WORTHWHILE:
            waits = f"the {stage.op}{at(stage.place)} waits for most of its time"
            parallel = () if stage in model.current.threads else ("`num_parallel_calls=tf.data.AUTOTUNE`",)
            yield f"{waits}: {_more_threads(model, stage, *parallel)} (predicted {_times(gain)})"


def _about_batches(model: RateModel) -> Iterator[str]:
    """Batches that were faster with parallel calls, or without: no rule can tell by looking."""
    for stage in model.pipeline.stages:
        trial = stage.tried if stage.op in BATCHING else None
        if trial is not None and trial.low >= WORTHWHILE:
            how = "with" if stage.omits("num_parallel_calls") else "without"
            setting = f"{how} `num_parallel_calls=tf.data.AUTOTUNE`" if how == "with" else f"{how} `num_parallel_calls`"
            interval = f"{_times(trial.low)} to {_times(trial.high)}"
            yield f"the {stage.op}{at(stage.place)} {setting} gave {_times(trial.speedup)} ({interval})"


def _about_cache(model: RateModel, cache: CachePlace | None) -> Iterator[str]:
    if cache is None or any(consumer.once for consumer in model.pipeline.consumers):
        return
    gain = model.speedup(cached(model.current, cache.stage))
    if gain is not None and gain >= WORTHWHILE:
        worth = f"predicted {_times(gain)}" if gain < _BEYOND_TELLING else "later epochs then cost next to nothing"
        behind = f"a cache after the {cache.stage.op}{at(cache.stage.place)}"
        behind += f" ({through})" if (through := through_helper(cache.stage)) else ""
        yield f"{behind} would hold {size(cache.bytes)} and spare every epoch but the first its work ({worth})"


def _times(ratio: float) -> str:
    return f"{ratio:.1f}x" if ratio < 10 else f"{ratio:.0f}x"
