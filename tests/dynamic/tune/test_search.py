"""The search for rewrites, in a workshop that pretends to run them."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from pipelint.dynamic.measure.contents import Contents, Row
from pipelint.dynamic.tune.candidates import Candidate
from pipelint.dynamic.tune.epochs import EpochProfiles
from pipelint.dynamic.tune.gains import Pair, Timed, gain_of, is_gain, is_settled, noise
from pipelint.dynamic.tune.search import Files, Interrupted, Proposal, Proposals, Search, SearchResult, TrialResult
from pipelint.dynamic.tuning import Sameness
from pipelint.model.grades import Safety
from pipelint.model.locations import Place
from pipelint.model.repair import Append
from pipelint.model.values import AUTOTUNE
from tests.profiles import pipeline, stage

FILE = Path("/project/train.py")
ROWS = tuple(Row(number, number, float(number), 1.0) for number in range(20))
DATA = Contents("spec", 20, ROWS, (4,) * 5, complete=True, repeats=True)


@dataclass
class Idea:
    """A candidate by its name: what it makes of the speed, and what is predicted."""

    factor: float = 1.0
    predicted: float | None = 2.0
    group: str = ""
    data: Contents = DATA
    error: str = ""


@dataclass
class Pretended:
    """Runs versions, whose files name the ideas that are in them, at the speed that these promise."""

    ideas: Mapping[str, Idea]
    noise: Callable[[int], float] = lambda run: 1.0
    others: Callable[[int], float] = lambda run: 0.0
    step_seconds: float = 0.001
    interrupt_at: int | None = None
    cores: int = 2
    runs: int = 0
    asked: list[tuple[str, ...]] = field(default_factory=list)
    clock: float = 0.0

    def profile(self, files: Files) -> EpochProfiles:
        known = pipeline(stage("range", 3), stage("map", 4, 0, function="f", share=1.0))
        measurement = replace(known.measurement, batches_per_second=self._rate(files), epoch=None)
        step = measurement.step_of(self.step_seconds)
        known.pipeline.measurement = replace(measurement, step=step)
        return EpochProfiles(known)

    def proposals(self, files: Files, profile: EpochProfiles, rows: int | None) -> Proposals:
        assert rows == len(ROWS)
        dataset = profile.later.pipeline.dataset
        assert dataset is not None
        repair = Append(dataset, "prefetch", AUTOTUNE)
        possible = []
        for name, idea in self.ideas.items():
            taken = {self.ideas[other].group for other in _names(files)} - {""}
            if name not in _names(files) and idea.group not in taken:
                place = Place(str(FILE), 4)
                candidate = Candidate("PIPE201", name, Safety.SAFE, repair, place, idea.predicted, idea.group)
                possible.append(Proposal(candidate, {FILE: " ".join([*_names(files), name]).encode()}))
        return Proposals(tuple(possible))

    def run(self, files: Files, *, reads_data: bool, epoch_batches: int | None) -> TrialResult:
        self.runs += 1
        self.clock += 5.0
        if self.runs == self.interrupt_at:
            raise Interrupted
        names = _names(files)
        self.asked.append(names)
        if errors := [self.ideas[name].error for name in names if self.ideas[name].error]:
            return TrialResult(error=errors[0])
        data = self.ideas[names[-1]].data if names else DATA
        timed = Timed(self._rate(files) * self.noise(self.runs), self.others(self.runs))
        return TrialResult(timed, data if reads_data else None)

    def _rate(self, files: Files) -> float:
        rate = 100.0
        for name in _names(files):
            rate *= self.ideas[name].factor
        return rate


def _names(files: Files) -> tuple[str, ...]:
    return tuple(files[FILE].decode().split()) if FILE in files else ()


def searched(workshop: Pretended, seconds: float = 600.0) -> SearchResult:
    search = Search(workshop, seconds, lambda line: None, now=lambda: workshop.clock)
    return search.run(workshop.profile({}))


def test_gains_are_kept_on_top_of_each_other_the_most_promising_first() -> None:
    workshop = Pretended({"small": Idea(1.2, 1.3), "large": Idea(3.0, 4.0), "none": Idea(1.0, 1.5)})
    result = searched(workshop)
    assert _names(result.files) == ("large", "small")
    assert [(each.title, each.accepted) for each in result.rewrites] == [
        ("large", True),
        ("small", True),
        ("none", False),
    ]
    assert result.total is not None
    assert result.before == 100
    assert result.after == 360
    assert result.rewrites[2].reason == "no gain: 1.00x"
    assert result.ended == "nothing else promises a gain on this machine"
    assert all(each.verdict is not None and each.verdict.sameness is Sameness.IDENTICAL for each in result.rewrites)


def test_what_changes_the_data_is_thrown_away_and_named() -> None:
    other = replace(DATA, rows=(Row(99, 99, 0.0, 0.0), *ROWS[1:]))
    result = searched(Pretended({"wrong": Idea(9.0, 9.0, data=other), "broken": Idea(9.0, 8.0, error="ValueError")}))
    assert not result.files
    assert [each.reason for each in result.rewrites] == [
        "it changes the data: 1 of 20 examples differ, the first is number 1",
        "it fails: ValueError",
    ]


def test_a_program_that_draws_its_data_anew_cannot_be_compared() -> None:
    workshop = Pretended({"good": Idea(2.0)})
    numbers = iter(range(100, 200))

    def run(files: Files, *, reads_data: bool, epoch_batches: int | None) -> TrialResult:
        result = Pretended.run(workshop, files, reads_data=reads_data, epoch_batches=epoch_batches)
        number = next(numbers)
        drawn = replace(DATA, rows=(Row(number, number, 0.0, 0.0), *ROWS[1:]))
        return replace(result, contents=drawn if reads_data else None)

    workshop.run = run  # type: ignore[method-assign]
    (rewrite,) = searched(workshop).rewrites
    assert rewrite.accepted
    assert rewrite.verdict is not None
    assert rewrite.verdict.reason == "cannot be compared: the program makes other data in each run"


def test_those_that_exclude_each_other_are_tried_against_each_other() -> None:
    workshop = Pretended({"near": Idea(2.0, 5.0, "cache"), "far": Idea(4.0, 3.0, "cache")})
    result = searched(workshop)
    assert _names(result.files) == ("far",)
    assert workshop.asked[1:4] == [(), ("near",), ("far",)]
    assert {each.title: each.reason for each in result.rewrites}["near"] == "another of its kind gave 4x"


def test_one_run_does_not_decide_between_those_that_exclude_each_other() -> None:
    # The first run of `near` is a lucky one.
    ideas = {"near": Idea(2.0, 5.0, "cache"), "far": Idea(4.0, 3.0, "cache")}
    workshop = Pretended(ideas, noise=lambda run: 4.0 if run == 3 else 1.0)
    assert _names(searched(workshop).files) == ("far",)


def test_the_search_ends_when_the_step_no_longer_waits() -> None:
    result = searched(Pretended({"large": Idea(5.0, 5.0), "small": Idea(1.5, 1.5)}, step_seconds=0.004))
    assert _names(result.files) == ("large",)
    assert result.ended == "the step no longer waits for its input"


def test_the_search_ends_when_its_time_is_up() -> None:
    result = searched(Pretended({"large": Idea(5.0, 5.0), "small": Idea(1.5, 1.5)}), seconds=35.0)
    assert _names(result.files) == ("large",)
    assert result.ended == "the time is up; --minutes gives it more"


def test_an_interrupt_leaves_the_best_so_far() -> None:
    result = searched(Pretended({"large": Idea(5.0, 5.0), "small": Idea(1.5, 1.5)}, interrupt_at=10))
    assert result.interrupted
    assert _names(result.files) == ("large",)
    assert result.total is not None


def test_a_gain_that_noise_may_be_is_not_kept() -> None:
    swings = random.Random(4)
    workshop = Pretended({"maybe": Idea(1.1)}, noise=lambda run: swings.uniform(0.6, 1.5), others=lambda run: 1.4)
    result = searched(workshop)
    assert not result.files
    assert result.rewrites[0].reason.endswith("could not be told from noise: others took 1.4 of 2 processors")


def test_what_gained_nothing_is_tried_again_only_where_it_promises_more() -> None:
    workshop = Pretended({"large": Idea(3.0, 4.0), "none": Idea(1.0, 5.0), "small": Idea(1.2, 1.3)})
    result = searched(workshop)
    assert [each.title for each in result.rewrites] == ["large", "small", "none"]
    assert sum(names[-1:] == ("none",) for names in workshop.asked) == 2


def _pairs(*ratios: float, others: float = 0.0) -> list[Pair]:
    return [Pair(Timed(100.0), Timed(100.0 * ratio, others)) for ratio in ratios]


def test_pairs_tell_a_gain_only_where_their_interval_excludes_none() -> None:
    assert is_gain(_pairs(1.2, 1.25, 1.18, 1.22, 1.21))
    assert not is_gain(_pairs(0.9, 1.3, 1.2, 0.95, 1.25))
    assert not is_gain(_pairs(1.03, 1.04, 1.03, 1.04, 1.03))
    assert not is_gain(_pairs(2.0, 2.1))
    gain = gain_of(_pairs(1.2, 1.25, 1.18, 1.22, 1.21))
    assert (gain.ratio, gain.low, gain.high) == (1.21, 1.18, 1.25)


def test_pairs_are_run_until_they_settle_it() -> None:
    assert not is_settled(_pairs(3.0, 3.1))
    assert is_settled(_pairs(3.0, 3.1, 2.9))
    assert is_settled(_pairs(0.99, 1.01))
    assert not is_settled(_pairs(1.1, 1.12, 1.09, 1.11))
    assert is_settled(_pairs(1.1, 1.12, 1.09, 1.11, 1.1))
    assert not is_settled(_pairs(0.8, 1.2, 1.3, 0.9, 1.1, 1.4))


def test_beside_other_programs_only_what_is_far_beyond_them_is_believed() -> None:
    def beside(*ratios: float) -> list[Pair]:
        return [Pair(Timed(100.0, 1.2), Timed(100.0 * ratio, 1.2)) for ratio in ratios]

    assert is_gain(beside(6.0, 7.9, 8.1))
    assert is_gain(beside(1.5, 1.6, 1.5, 1.7, 1.6))
    assert not is_gain(beside(1.9, 1.8, 1.9))
    assert not is_gain(beside(1.2, 1.25, 1.2, 1.22, 1.2))
    assert not is_settled(beside(0.9, 0.95, 1.0))


def test_a_pair_of_which_one_run_was_disturbed_does_not_count() -> None:
    pairs = [*_pairs(1.2, 1.2, 1.2), *_pairs(5.0, others=1.0)]
    assert gain_of(pairs).high == 1.2
    assert "others took" not in noise(_pairs(1.1, 0.9), 2)


def test_three_pairs_that_nobody_disturbed_are_believed_whatever_became_of_others() -> None:
    pairs = [*_pairs(1.5, 1.4, 1.6), *_pairs(0.7, 0.9, 0.8, 1.0, others=1.2)]
    assert gain_of(pairs).pairs == 3
    assert is_gain(pairs)
    assert is_settled(pairs)


def test_one_pair_of_runs_is_too_few_to_call_it_no_gain() -> None:
    workshop = Pretended({"map": Idea(0.95)})
    result = searched(workshop, seconds=12.0)
    assert [each.reason for each in result.rewrites] == ["the time was up after 1 pair of runs"]
