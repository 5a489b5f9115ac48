"""Thresholds for a profile, and its comparison with an earlier one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pipelint.dynamic.comparison import Comparison
from pipelint.dynamic.profile import PipelineProfile, Profile
from pipelint.dynamic.thresholds import Thresholds, comparison, violations
from pipelint.knowledge.consumption import ConsumerKind, Purpose
from pipelint.model.consumer import Consumer
from pipelint.model.cost import Step
from pipelint.model.locations import NOWHERE, Place
from pipelint.report.profile import json as profile_json
from pipelint.source.errors import UserError
from tests.dynamic.measured_chains import PURE, Chain, step


def measured(
    rate: float | None = 100.0, waiting: float | None = 0.3, decode: float = 8, **known: Any
) -> PipelineProfile:
    chain = Chain().then("range", 1).then("map", decode, function=PURE).then("batch", 1)
    seen = {"batches_per_second": rate, "step": step(0.01, waiting) if waiting is not None else None}
    return chain.profile(**seen | known)


def profile(*pipelines: PipelineProfile) -> Profile:
    return Profile("train.py", "2.21.0", 4, pipelines=pipelines)


def written(path: Path, *pipelines: PipelineProfile) -> Path:
    path.write_text(profile_json.render(profile(*pipelines)), encoding="utf-8")
    return path


def test_limits_that_hold_are_silent() -> None:
    assert not violations(profile(measured()), Thresholds(max_input_bound=0.31, min_batches_per_second=100))


def test_each_limit_that_does_not_hold_is_one_line() -> None:
    assert violations(profile(measured()), Thresholds(max_input_bound=0.1, min_batches_per_second=120)) == [
        "fit at train.py:99: 30% of step time goes to input, more than 10%",
        "fit at train.py:99: 100 batches/s, fewer than 120",
    ]


def test_a_limit_is_broken_only_when_all_of_the_interval_is_beyond_it() -> None:
    limits = Thresholds(max_input_bound=0.25, min_batches_per_second=110)
    unsure = measured(100.0, spread=0.15, step=Step(0.07, 0.1, waiting_spread=0.1))
    assert not violations(profile(unsure), limits)
    sure = measured(100.0, spread=0.05, step=Step(0.07, 0.1, waiting_spread=0.02))
    assert violations(profile(sure), limits) == [
        "fit at train.py:99: 30% (28% to 32%) of step time goes to input, more than 25%",
        "fit at train.py:99: 100 batches/s ± 5%, fewer than 110",
    ]


def test_what_was_not_measured_cannot_be_checked_and_fails() -> None:
    limits = Thresholds(max_input_bound=0.1, min_batches_per_second=120)
    assert violations(profile(measured(None, None)), limits) == [
        "fit at train.py:99: --max-input-bound cannot be checked, because no step was measured",
        "fit at train.py:99: --min-batches-per-second cannot be checked, because it was not measured",
    ]
    assert violations(profile(), limits) == [
        "--max-input-bound cannot be checked: no pipeline was measured",
        "--min-batches-per-second cannot be checked: no pipeline was measured",
    ]


def test_limits_are_about_training_once_its_cache_serves() -> None:
    pipelines = (
        measured(10.0, epoch="first"),
        measured(1000.0, epoch="later"),
        measured(5.0, consumer=Consumer(ConsumerKind.EVALUATE, Place("train.py", 99), Purpose.EVALUATION)),
    )
    assert not violations(profile(*pipelines), Thresholds(min_batches_per_second=100))


def test_a_dataset_that_was_asked_for_counts_though_nothing_trains_on_it() -> None:
    consumer = Consumer(ConsumerKind.ASKED_FOR, NOWHERE)
    asked, first = measured(10.0, consumer=consumer), measured(10.0, consumer=consumer, epoch="first")
    later = measured(50.0, consumer=consumer, epoch="later")
    assert violations(profile(asked), Thresholds(min_batches_per_second=20)) == ["dataset: 10 batches/s, fewer than 20"]
    assert not violations(profile(first, later), Thresholds(min_batches_per_second=20))


def beside(old: Path, *pipelines: PipelineProfile) -> Comparison:
    return comparison(profile(*pipelines), Thresholds(compare=old))


def test_a_regression_beyond_noise_names_the_stage_that_grew(tmp_path: Path) -> None:
    old = written(tmp_path / "old.json", measured(100.0))
    (line,) = beside(old, measured(60.0, decode=14)).regressions
    assert line == (
        "fit at train.py:99: 60 batches/s, 100 batches/s before: 40% fewer, more than the noise of 10%; "
        "the map at train.py:2 takes 14 ms a batch instead of 8 ms"
    )


@pytest.mark.parametrize(("rate", "spread"), [(91.0, 0.0), (75.0, 0.15), (130.0, 0.0)])
def test_noise_and_gains_are_no_regression(tmp_path: Path, rate: float, spread: float) -> None:
    old = written(tmp_path / "old.json", measured(100.0, spread=spread))
    assert not beside(old, measured(rate, spread=spread)).regressions


def test_a_comparison_tells_old_and_new_whatever_has_come_of_it(tmp_path: Path) -> None:
    old = written(tmp_path / "old.json", measured(100.0, spread=0.03))
    (line,) = beside(old, measured(104.0, spread=0.04)).both
    assert line == (
        "fit at train.py:99: 104 batches/s ± 4%, 100 batches/s ± 3% before; "
        "30% of step time for input, 30% of step time for input before"
    )


def test_more_time_for_input_is_a_regression_beyond_both_intervals(tmp_path: Path) -> None:
    old = written(tmp_path / "old.json", measured(waiting=0.3))
    assert not beside(old, measured(waiting=0.39, decode=14)).regressions
    (line,) = beside(old, measured(waiting=0.5, decode=14)).regressions
    assert line == (
        "fit at train.py:99: 50% of step time for input, 30% of step time for input before; "
        "the map at train.py:2 takes 14 ms a batch instead of 8 ms"
    )
    assert not beside(old, measured(step=Step(0.05, 0.1, waiting_spread=0.25), decode=14)).regressions


def test_the_same_work_that_takes_longer_is_a_matter_of_the_machine(tmp_path: Path) -> None:
    old = written(tmp_path / "old.json", measured(100.0))
    told = beside(old, measured(50.0, 0.8, decode=8.5))
    assert not told.regressions
    assert told.both[0].endswith("its stages do the same work as before, so that the machine must have been slower")


def test_the_same_work_in_another_way_is_a_matter_of_the_script(tmp_path: Path) -> None:
    chain = Chain().then("range", 1).then("map", 8, function=PURE, rewritten="ParallelMapV2", parallelism=4)
    old = written(tmp_path / "old.json", chain.then("batch", 1).profile(batches_per_second=100.0))
    assert beside(old, measured(50.0)).regressions


def test_more_work_is_a_regression_however_unsure_the_rate(tmp_path: Path) -> None:
    old = written(tmp_path / "old.json", measured(100.0, spread=0.3))
    (line,) = beside(old, measured(80.0, spread=0.4, decode=12)).regressions
    assert line == (
        "fit at train.py:99: a batch takes 14 ms of work instead of 10 ms; "
        "the map at train.py:2 takes 12 ms a batch instead of 8 ms"
    )


def test_epochs_and_pipelines_are_compared_with_their_like(tmp_path: Path) -> None:
    before = (measured(50.0, epoch="first"), measured(500.0, epoch="later"), measured(80.0), measured(20.0))
    slower = measured(300.0, epoch="later", decode=14)
    after = (measured(50.0, epoch="first"), slower, measured(80.0), measured(20.0))
    (line,) = beside(written(tmp_path / "old.json", *before), *after).regressions
    assert line.startswith("fit at train.py:99, later epochs: 300 batches/s, 500 batches/s before")


def test_a_pipeline_that_is_no_longer_measured_fails(tmp_path: Path) -> None:
    old = written(tmp_path / "old.json", measured(100.0))
    (line,) = beside(old, measured(None)).regressions
    assert line == "fit at train.py:99: was not measured, so that 100 batches/s before cannot be compared"


def test_a_profile_of_something_else_fails(tmp_path: Path) -> None:
    old = written(tmp_path / "old.json")
    assert beside(old, measured()).regressions == (
        f"nothing can be compared: {old} holds no pipeline of the same kind",
    )


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        (None, "cannot read .*: No such file or directory"),
        ("{", "is not JSON"),
        ("[]", "is not a profile"),
        ('{"version": 1, "findings": []}', "is not a profile"),
        ('{"version": 2, "pipelines": []}', "is of version 2, and this pipelint reads version 1"),
        ('{"version": 1, "pipelines": [{}]}', "does not hold what a profile holds"),
        ('{"version": 1, "pipelines": [3]}', "does not hold what a profile holds"),
    ],
)
def test_an_earlier_profile_that_cannot_be_read_is_one_line(
    tmp_path: Path, content: str | None, complaint: str
) -> None:
    old = tmp_path / "old.json"
    if content is not None:
        old.write_text(content, encoding="utf-8")
    with pytest.raises(UserError, match=complaint) as raised:
        beside(old, measured())
    assert "\n" not in str(raised.value)
