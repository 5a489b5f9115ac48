"""Where `pipelint tune` makes versions of the user's program, by rules and rewriting, and runs them."""

from __future__ import annotations

import linecache
import shutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from math import inf
from pathlib import Path

from pipelint.dynamic.measure.measured_run import MeasuredRun
from pipelint.dynamic.predict.profile_of_run import profile_of_run
from pipelint.dynamic.predict.rate_model import RateModel
from pipelint.dynamic.process import supervisor
from pipelint.dynamic.process.channel import Progress, TrialTerms
from pipelint.dynamic.process.edited_files import EditedFiles
from pipelint.dynamic.process.target import Target
from pipelint.dynamic.profile import Profile
from pipelint.dynamic.tune.cache_places import Room
from pipelint.dynamic.tune.candidates import Candidate, candidates, distribution, predicted_gain
from pipelint.dynamic.tune.epochs import EpochProfiles
from pipelint.dynamic.tune.gains import Timed
from pipelint.dynamic.tune.python_workers import worker_candidates
from pipelint.dynamic.tune.search import Files, Interrupted, Proposal, Proposals, TrialResult
from pipelint.dynamic.tuning import ServiceRun, TriedRewrite
from pipelint.lint.source_variant import CannotEdit, FoundFix, SourceVariant, line_before
from pipelint.model.grades import Safety, Severity
from pipelint.model.pipeline import Pipeline, Stage
from pipelint.model.relocation import Nowhere, relocated, stages_of
from pipelint.project.projects import Project
from pipelint.report.unified_diff import unified_diff
from pipelint.source.paths import split_cell

_PROFILE_SECONDS = 8.0
"""For the costs of the stages of a version; the first profile has more."""
_TRIAL_SECONDS = 3.0
"""For the speed of the whole in one of many runs."""
_NOT_IN_SOURCE = "it is not written out in a file of the project"


class ProgramWorkshop:
    """Versions of one program: edited in memory, run in child processes, written nowhere."""

    def __init__(
        self,
        target: Target,
        project: Project,
        show: Callable[[Progress], None],
        *,
        unsafe: bool,
        step_time: float | None = None,
    ) -> None:
        self._target = target
        self._project = project
        self._show = show
        self._unsafe = unsafe
        self._given_step_time = self._step_time = step_time
        self.cores = 0
        self.memory_bytes = 0
        self.originals: dict[Path, bytes] = {}
        """What was read of the files that are edited."""

    def take(self, run: MeasuredRun, files: Files | None = None) -> Profile:
        """What there is to tell of a run of a version, and of the machine."""
        steps = [
            known.step for each in run.pipelines if (known := each.measurement) is not None and known.step is not None
        ]
        if self._given_step_time is None and steps:
            # The model is the same in all versions; what it takes is told best where least else goes on.
            is_first, self._step_time = self._step_time is None, min(self._step_time or inf, steps[0].seconds)
            run = run if is_first else run.with_step(self._step_time)
        elif self._step_time is not None:
            run = run.with_step(self._step_time)
        self.cores, self.memory_bytes = run.cores, run.memory_bytes
        for path, content in (files or {}).items():
            # Reports show the lines of the version that ran.
            EditedFiles.show(str(path), content)
        try:
            return profile_of_run(run, self._project, lambda code, place: None)
        finally:
            for path in files or {}:
                linecache.cache.pop(str(path), None)

    def profile(self, files: Files) -> EpochProfiles | None:
        """What a version's stages cost."""
        outcome = supervisor.run_once(self._target, _PROFILE_SECONDS, self._show, edited=files, quiet=True)
        if outcome.interrupted:
            raise Interrupted
        return EpochProfiles.of(self.take(outcome.run, files))

    def run(self, files: Files, *, reads_data: bool, epoch_batches: int | None) -> TrialResult:
        """One run in a fresh process."""
        terms = TrialTerms(reads_data, epoch_batches)
        outcome = supervisor.run_once(self._target, _TRIAL_SECONDS, self._show, edited=files, trial=terms, quiet=True)
        if outcome.interrupted:
            raise Interrupted
        run = outcome.run
        known = run.pipelines[0].measurement if run.pipelines else None
        if known is None or known.batches_per_second is None:
            return TrialResult(error=run.error or "it consumed no dataset")
        return TrialResult(Timed(known.batches_per_second, known.disturbance), run.contents)

    def service(self, files: Files, profiles: EpochProfiles, workers: int) -> ServiceRun | None:
        """What a tf.data service gives a version, with the patch that lets it take its data from one."""
        terms = TrialTerms(workers=workers)
        run = supervisor.run_once(self._target, _TRIAL_SECONDS, self._show, edited=files, trial=terms, quiet=True).run
        if run.service is None or not run.service.rates:
            return run.service or ServiceRun(note=run.error or "it was not measured")
        live = profiles.later.pipeline
        source = SourceVariant(self._project, self._files_of(live), files)
        repair = distribution(live, run.service.sharding)
        try:
            edited = _edited(Candidate("service", "", Safety.UNSAFE, repair, repair.stage.place), source, live)
        except (CannotEdit, Nowhere) as error:
            return replace(run.service, note=f"no patch: {str(error) or _NOT_IN_SOURCE}")
        return replace(run.service, diff=unified_diff(source.with_contents(edited).changes(files)))

    def proposals(self, files: Files, profiles: EpochProfiles, rows: int | None) -> Proposals:
        """What the rules mend and what measuring justifies, as edits of a version."""
        live = profiles.later.pipeline
        source = SourceVariant(self._project, self._files_of(live), files)
        fixes = list(source.fixes())
        found: dict[frozenset[tuple[Path, bytes]], _Weighed] = {}
        refused: dict[str, TriedRewrite] = {}
        room = Room(self.memory_bytes, shutil.disk_usage(Path.cwd()).free)
        for kind, profile in profiles.kinds:
            model = RateModel(profile.pipeline, self.cores)
            possible = [proposal for fix in fixes for proposal in self._by_rule(fix, source, model)]
            for candidate in candidates(model, room, rows):
                if candidate.group == "cache" and kind == "first":
                    continue  # What the later epochs are spared is not seen there.
                try:
                    possible.append(Proposal(candidate, _edited(candidate, source, profile.pipeline)))
                except (CannotEdit, Nowhere) as error:
                    reason = f"not tried: {str(error) or _NOT_IN_SOURCE}"
                    refused[candidate.title] = replace(candidate.untried, reason=reason)
            possible += self._for_feed(source, model)
            for proposal in possible:
                weighed = found.setdefault(frozenset(proposal.files.items()), _Weighed(proposal))
                weighed.gains[kind] = weighed.gains.get(kind) or proposal.candidate.predicted
        weighed_all = [self._as_reported(weighed.proposal(profiles), files) for weighed in found.values()]
        if not self._unsafe:
            for proposal in weighed_all:
                if proposal.candidate.safety is Safety.UNSAFE:
                    reason = "not tried: unsafe; --unsafe-fixes tries and writes it"
                    refused[proposal.candidate.title] = replace(proposal.candidate.untried, reason=reason)
            weighed_all = [each for each in weighed_all if each.candidate.safety is Safety.SAFE]
        return Proposals(tuple(weighed_all), tuple(refused.values()))

    def _as_reported(self, proposal: Proposal, files: Files) -> Proposal:
        """The proposal with its place in the file as written, whatever was changed in it before."""
        for edited in proposal.files:
            if edited not in self.originals:
                self.originals[edited] = edited.read_bytes()
        place = proposal.candidate.place
        if place is None or (path := Path(place.path)) not in files:
            return proposal
        line = line_before(self.originals[path], files[path], place.line)
        return replace(proposal, candidate=replace(proposal.candidate, place=replace(place, line=line)))

    def _by_rule(self, found: FoundFix, source: SourceVariant, model: RateModel) -> Iterator[Proposal]:
        """A rule's fix, where the rule claims speed and the fix is about the pipeline that is tuned."""
        finding, rule = found.finding, self._project.registry[found.finding.code]
        fix = finding.fix
        if fix is None or rule.type.evidence is None or finding.severity is Severity.ERROR:
            return
        by_place = {_key(stage): stage for stage in model.pipeline.every_stage if stage.place is not None}

        def live_of(stage: Stage) -> Stage | None:
            place = source.place_of_stage(stage)
            return by_place.get((place.path, place.line, stage.op)) if place is not None else None

        touched = [stage for part in stages_of(fix.repair) if (stage := live_of(part)) is not None]
        if not touched:
            return
        predicted = None
        # Else it is tried without a prediction.
        with suppress(Nowhere):
            predicted = predicted_gain(relocated(fix.repair, live_of, model.pipeline.dataset), model)
        if touched[0].tried is not None and touched[0].op in ("skip", "shard"):
            predicted = touched[0].tried.speedup
        yield Proposal(
            Candidate(finding.code, fix.title, fix.safety, fix.repair, found.place, predicted), found.contents
        )

    def _for_feed(self, source: SourceVariant, model: RateModel) -> Iterator[Proposal]:
        """Workers for a PyDataset, where `fit` is given one."""
        consumer = model.pipeline.consumers[0]
        found = source.feed_at(consumer.place) if consumer.place is not None else None
        if found is None:
            return
        feed, program, home = found
        taken: set[str] = set()
        for candidate in worker_candidates(model, program, feed):
            with suppress(CannotEdit):
                if candidate.title not in taken:
                    yield Proposal(candidate, source.with_repair(candidate.repair, home))
                    taken.add(candidate.title)

    def _files_of(self, live: Pipeline) -> list[Path]:
        """The script, and the files in which the stages stand."""
        script = [self._target.script.absolute()] if self._target.script is not None else []
        places = [stage.place for stage in reversed(live.every_stage) if stage.place is not None]
        consumers = [consumer.place for consumer in live.consumers if consumer.place is not None]
        named = [Path(split_cell(place.path)[0]) for place in (*consumers, *places)]
        return [path for path in dict.fromkeys([*script, *named]) if path.is_file()]


@dataclass
class _Weighed:
    """A proposal, with what is predicted for each kind of epoch."""

    _proposal: Proposal
    gains: dict[str, float | None] = field(default_factory=dict)

    def proposal(self, profiles: EpochProfiles) -> Proposal:
        """The proposal, with what is predicted for all of a training."""
        known = {kind: gain for kind, gain in self.gains.items() if gain is not None}
        candidate = self._proposal.candidate
        predicted = None
        if known:
            adds_cache = candidate.keeps is not None and profiles.first is None
            predicted = profiles.with_cache(known["later"]) if adds_cache else profiles.combined(known)
        return replace(self._proposal, candidate=replace(candidate, predicted=predicted))


def _edited(candidate: Candidate, source: SourceVariant, live: Pipeline) -> Mapping[Path, bytes]:
    found = source.dataset_of(live.every_stage)
    if found is None:
        raise Nowhere
    dataset, *home = found
    variant = max(dataset.variants, key=lambda each: _shared(each, live, source))
    stages = {
        id(each): other for each in live.every_stage if (other := source.counterpart_in(variant, each)) is not None
    }
    repair = relocated(candidate.repair, lambda stage: stages.get(id(stage)), dataset)
    return source.with_repair(repair, (home[0], home[1]))


def _shared(variant: Pipeline, live: Pipeline, source: SourceVariant) -> int:
    return sum(source.counterpart_in(variant, stage) is not None for stage in live.every_stage)


def _key(stage: Stage) -> tuple[str, int, str]:
    assert stage.place is not None
    return stage.place.path, stage.place.line, stage.op
