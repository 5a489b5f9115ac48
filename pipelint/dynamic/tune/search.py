"""The search: one change after the other, the most promising first, each tried on top of what was kept."""

from __future__ import annotations

import math
import statistics
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Protocol

from pipelint.display.figures import figure
from pipelint.dynamic.measure.contents import Contents
from pipelint.dynamic.tune.candidates import Candidate
from pipelint.dynamic.tune.epochs import EpochProfiles
from pipelint.dynamic.tune.gains import FLOOR, Pair, Timed, gain_of, is_busy, is_gain, is_settled, noise
from pipelint.dynamic.tune.verification import compared
from pipelint.dynamic.tuning import Gain, Sameness, TriedRewrite, Verdict
from pipelint.source.paths import at

Files = Mapping[Path, bytes]
"""Edited contents of the user's files; none stands for the program as written."""
_MOST_ALTERNATIVES = 3
_FAR_BEHIND = 0.8
"""An alternative that gives less than this part of what the best one gives is not run again; nor one that gives less at
all, once the gain of the best is certain."""
_MORE = 1.5
"""So many times as much must be promised by what gained nothing before, to be tried again behind other changes."""
_UNTOLD = 1.1
"""Where a change stands among others of which the gain cannot be predicted."""


@dataclass(frozen=True)
class Proposal:
    """A candidate, with what it makes of the files."""

    candidate: Candidate
    files: Files


@dataclass(frozen=True)
class Proposals:
    """What can be tried next, and what the source cannot take."""

    possible: tuple[Proposal, ...] = ()
    refused: tuple[TriedRewrite, ...] = ()


@dataclass(frozen=True)
class TrialResult:
    """What one run of some version gave."""

    timed: Timed | None = None
    contents: Contents | None = None
    error: str = ""


class Workshop(Protocol):
    """Where versions of the program are made and run."""

    cores: int

    def profile(self, files: Files) -> EpochProfiles | None:
        """What a version's stages cost; None where it cannot be measured."""

    def proposals(self, files: Files, profile: EpochProfiles, rows: int | None) -> Proposals:
        """What could be changed in a version."""

    def run(self, files: Files, *, reads_data: bool, epoch_batches: int | None) -> TrialResult:
        """One run in a fresh process."""


class Interrupted(Exception):  # noqa: N818 - no error, but what the user asked for
    """The user has had enough; what was found by then counts."""


@dataclass
class _Version:
    """A state of the files, with what is known of it."""

    files: Files
    contents: Contents | None = None
    runs: list[Timed] = field(default_factory=list)

    @property
    def rate(self) -> float | None:
        return statistics.median(run.rate for run in self.runs) if self.runs else None

    @property
    def epoch_batches(self) -> int | None:
        known = self.contents
        return len(known.batches) if known is not None and known.complete and not known.random else None


@dataclass
class _Contender:
    """One alternative in a trial."""

    proposal: Proposal
    version: _Version
    pairs: list[Pair] = field(default_factory=list)
    verdict: Verdict | None = None
    failure: str = ""

    is_wrong: bool = False
    """Whether it fails or changes the data, whatever it gains."""

    @property
    def is_out(self) -> bool:
        return bool(self.failure)


@dataclass
class SearchResult:
    """What the search came to."""

    files: Files
    rewrites: list[TriedRewrite]
    before: float | None
    after: float | None
    total: Gain | None
    last_profile: EpochProfiles
    ended: str
    interrupted: bool = False


class Search:
    """Greedy: the candidate of the largest predicted gain is tried first, and kept where it gains for certain."""

    def __init__(
        self, workshop: Workshop, seconds: float, tell: Callable[[str], None], now: Callable[[], float] = time.monotonic
    ) -> None:
        """`tell` is given a line for each thing that is tried and found."""
        self._workshop = workshop
        self._tell = tell
        self._now = now
        self._end = now() + seconds
        self._tried: set[frozenset[tuple[Path, bytes]]] = set()
        self._skipped: dict[str, TriedRewrite] = {}
        self._failed: dict[str, float] = {}
        """What was tried and not kept, with what had been predicted: infinite where it failed or changed the data."""
        self._best = _Version({})
        self._reproduces: bool | None = None
        """Whether another run of the program as it is has the same data; None where nobody had to know yet."""
        self.rewrites: list[TriedRewrite] = []

    def run(self, profile: EpochProfiles) -> SearchResult:
        """Search from the program as written, whose profile this is."""
        original = current = _Version({})
        interrupted = False
        ended = ""
        try:
            while not ended:
                current, profile, ended = self._step(current, profile)
            total = self._total(original, current)
        except (Interrupted, KeyboardInterrupt):
            interrupted, ended, total = True, "interrupted; this is the best so far", None
            current = self._best
        known = [rewrite for rewrite in self.rewrites if rewrite.accepted]
        if total is None and known:
            # A run at the end failed, or there was none.
            total = _product([rewrite.gain for rewrite in known if rewrite.gain is not None])
        before = original.rate
        after = before * total.ratio if before is not None and total is not None else before
        others = [rewrite for rewrite in self.rewrites if not rewrite.accepted]
        rewrites = [*known, *others, *self._skipped.values()]
        return SearchResult(current.files, rewrites, before, after, total, profile, ended, interrupted)

    def _step(self, current: _Version, profile: EpochProfiles) -> tuple[_Version, EpochProfiles, str]:
        """Try the most promising candidates, and give what the program is then; with words where that was the last."""
        self._best = current
        if not profile.holds_back:
            return current, profile, "the step no longer waits for its input"
        if self._now() >= self._end:
            return current, profile, "the time is up; --minutes gives it more"
        if current.contents is None:
            self._tell("reading the data as it is")
            first = self._run(current, reads_data=True)
            if first.error:
                return current, profile, first.error
        rows = len(current.contents.rows) if current.contents is not None and current.contents.complete else None
        chosen, left = self._choose(self._workshop.proposals(current.files, profile, rows), current)
        if not chosen:
            return current, profile, "nothing else promises a gain on this machine"
        try:
            winner = self._trial(current, chosen, left)
        except _BaseError as failed:
            return current, profile, str(failed)
        if winner is None:
            return current, profile, ""
        self._best = winner.version
        if self._now() >= self._end:
            return winner.version, profile, "the time is up; --minutes gives it more"
        self._tell("measuring the stages as they are now")
        return winner.version, self._workshop.profile(winner.version.files) or profile, ""

    def _choose(self, proposals: Proposals, current: _Version) -> tuple[list[Proposal], int]:
        """The next to try, with its alternatives, and how many would be left."""
        for refused in proposals.refused:
            self._skipped.setdefault(f"{refused.code} {refused.title}", refused)
        waiting: dict[frozenset[tuple[Path, bytes]], Proposal] = {}
        for proposal in sorted(proposals.possible, key=_promise, reverse=True):
            key = frozenset(proposal.files.items())
            if key in self._tried or key == frozenset(current.files.items()):
                continue
            predicted = proposal.candidate.predicted
            if _promise(proposal) < _MORE * self._failed.get(_name(proposal.candidate), 0.0):
                continue
            if predicted is not None and predicted < FLOOR:
                self._skip(proposal, f"would give about {figure(max(predicted, 1.0))}x")
                continue
            waiting.setdefault(key, proposal)
        if not waiting:
            return [], 0
        first, *others = waiting.values()
        group = first.candidate.group
        alike = [other for other in others if group and other.candidate.group == group][: _MOST_ALTERNATIVES - 1]
        chosen = [first, *alike]
        self._tried |= {frozenset(proposal.files.items()) for proposal in chosen}
        for proposal in chosen:
            self._skipped.pop(_name(proposal.candidate), None)
        return chosen, len(waiting) - len(chosen)

    def _skip(self, proposal: Proposal, reason: str) -> None:
        if not any(_name(proposal.candidate) == f"{done.code} {done.title}" for done in self.rewrites):
            self._skipped[_name(proposal.candidate)] = replace(proposal.candidate.untried, reason=reason)

    def _trial(self, current: _Version, chosen: Sequence[Proposal], left: int) -> _Contender | None:
        """Run the alternatives in turns with the program as it is, and give the one to keep."""
        contenders = [_Contender(proposal, _Version(proposal.files)) for proposal in chosen]
        block = 0
        while running := [each for each in contenders if not each.is_out and not is_settled_for(each)]:
            if block and self._now() >= self._end:
                break
            block += 1
            self._tell(_progress(running, block, left))
            turns: Iterable[_Contender | None] = [None, *running]
            # Who comes first changes, since what disturbs the machine comes and goes.
            before: Timed | None = None
            for contender in turns if block % 2 else [*running, None]:
                if contender is None:
                    base = self._run(current)
                    before = base.timed
                else:
                    self._contend(contender, current)
            if before is None:
                raise _BaseError(base.error)
            for contender in running:
                if not contender.is_out:
                    contender.pairs.append(Pair(before, contender.version.runs[-1]))
            self._drop_those_behind(contenders)
        return self._judged(contenders)

    def _contend(self, contender: _Contender, current: _Version) -> None:
        """Run a contender; the first time with a look at its data."""
        first = contender.verdict is None
        result = self._run(contender.version, reads_data=first)
        if result.error:
            contender.failure, contender.is_wrong = f"it fails: {result.error}", True
        elif first:
            assert current.contents is not None
            assert result.contents is not None
            keeps = contender.proposal.candidate.keeps is not None
            contender.verdict = compared(current.contents, result.contents, keeps=keeps)
            if contender.verdict.sameness is Sameness.CHANGED and not self._same_in_each_run(current):
                why = "cannot be compared: the program makes other data in each run"
                contender.verdict = Verdict(Sameness.NOT_COMPARABLE, why)
            if contender.verdict.sameness is Sameness.CHANGED:
                contender.failure, contender.is_wrong = f"it changes the data: {contender.verdict.reason}", True

    def _same_in_each_run(self, current: _Version) -> bool:
        if self._reproduces is None:
            known = current.contents
            again = self._run(current, reads_data=True).contents
            assert known is not None
            alike = again is not None and compared(known, again).sameness is not Sameness.CHANGED
            self._reproduces = alike
        return self._reproduces

    def _drop_those_behind(self, contenders: Sequence[_Contender]) -> None:
        rated = [(gain_of(each.pairs).ratio, each) for each in contenders if not each.is_out and len(each.pairs) > 1]
        best = max((ratio for ratio, _ in rated), default=0.0)
        is_certain = any(ratio == best and is_settled_for(each) and is_gain(each.pairs) for ratio, each in rated)
        for ratio, each in rated:
            if ratio < best * (1.0 if is_certain else _FAR_BEHIND):
                each.failure = f"another of its kind gave {figure(best)}x"

    def _judged(self, contenders: Sequence[_Contender]) -> _Contender | None:
        gaining = [each for each in contenders if not each.is_out and each.pairs and is_gain(each.pairs)]
        winner = max(gaining, key=lambda each: gain_of(each.pairs).ratio, default=None)
        for each in contenders:
            rewrite = self._told(each, accepted=each is winner)
            name = _name(each.proposal.candidate)
            self.rewrites = [done for done in self.rewrites if done.accepted or f"{done.code} {done.title}" != name]
            self.rewrites.append(rewrite)
            if each is not winner:
                self._failed[name] = math.inf if each.is_wrong else _promise(each.proposal)
            self._tell(_outcome(rewrite))
        return winner

    def _told(self, contender: _Contender, *, accepted: bool) -> TriedRewrite:
        gain = gain_of(contender.pairs) if contender.pairs else None
        reason = ""
        if not accepted:
            reason = contender.failure or self._why_not(contender.pairs)
        return replace(
            contender.proposal.candidate.untried,
            gain=gain,
            verdict=contender.verdict,
            accepted=accepted,
            reason=reason,
        )

    def _why_not(self, pairs: Sequence[Pair]) -> str:
        if not pairs:
            return "there was no time to try it"
        if is_gain(pairs):
            return "another of its kind gave more"
        if not is_settled(pairs):
            return f"the time was up after {len(pairs)} {'pair' if len(pairs) == 1 else 'pairs'} of runs"
        gain = gain_of(pairs)
        if gain.high < FLOOR or (gain.ratio < FLOOR and not is_busy(pairs)):
            return f"no gain: {gain.ratio:.2f}x"
        return noise(pairs, self._workshop.cores)

    def _run(self, version: _Version, *, reads_data: bool = False) -> TrialResult:
        result = self._workshop.run(version.files, reads_data=reads_data, epoch_batches=version.epoch_batches)
        if result.timed is not None:
            version.runs.append(result.timed)
        if result.contents is not None:
            version.contents = result.contents
        return result

    def _total(self, original: _Version, current: _Version) -> Gain | None:
        """What all that was kept gives together, by runs of both ends where there were several steps between."""
        known = [rewrite.gain for rewrite in self.rewrites if rewrite.accepted and rewrite.gain is not None]
        if len(known) < 2 or self._now() >= self._end:
            return _product(known) if known else None
        pairs = []
        for number in range(3):
            self._tell(f"running the program as written and as it is now: pair {number + 1} of 3")
            runs = [self._run(version).timed for version in (original, current)]
            if runs[0] is None or runs[1] is None:
                return None
            pairs.append(Pair(runs[0], runs[1]))
        return gain_of(pairs)


class _BaseError(Exception):
    """The program as it is, which ran before, fails."""


def is_settled_for(contender: _Contender) -> bool:
    """Whether more runs of a contender would say nothing else."""
    return bool(contender.pairs) and is_settled(contender.pairs)


def _promise(proposal: Proposal) -> float:
    predicted = proposal.candidate.predicted
    return _UNTOLD if predicted is None else predicted


def _name(candidate: Candidate) -> str:
    return f"{candidate.code} {candidate.title}"


def _product(gains: Sequence[Gain]) -> Gain:
    """What steps that were each compared with the one before come to."""
    result = Gain(1.0, 1.0, 1.0)
    for gain in gains:
        result = Gain(result.ratio * gain.ratio, result.low * gain.low, result.high * gain.high, gain.pairs)
    return result


def _progress(running: Sequence[_Contender], block: int, left: int) -> str:
    names = " against ".join(f"{each.proposal.candidate.title}{at(each.proposal.candidate.place)}" for each in running)
    pairs = running[0].pairs
    so_far = f", {gain_of(pairs).ratio:.2f}x so far" if pairs else ""
    predicted = running[0].proposal.candidate.predicted
    hope = f" (predicted {figure(predicted)}x)" if predicted is not None and not pairs else ""
    return f"trying {names}{hope}: pair {block}{so_far}; {left} more to try"


def _outcome(rewrite: TriedRewrite) -> str:
    where = f"{rewrite.title}{at(rewrite.place)}"
    if not rewrite.accepted or rewrite.gain is None:
        return f"left out: {where}: {rewrite.reason}"
    gain = rewrite.gain
    same = f", {rewrite.verdict.sameness.value}" if rewrite.verdict is not None else ""
    return f"kept: {where}: {gain.ratio:.2f}x ({gain.low:.2f} to {gain.high:.2f}x){same}"
