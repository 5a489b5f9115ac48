"""How the time of a step is told from the time that it waits."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import pytest

pytest.importorskip("tensorflow", reason="steps are timed on TensorFlow")

from pipelint.dynamic.measure import step, step_runs
from pipelint.dynamic.measure.step import LoopTimer, Terms, Turn, time_step, time_step_on
from pipelint.dynamic.measure.step_runs import by_traced_loop
from pipelint.model.cost import Step


class Clock:
    """Time that passes only when told."""

    def __init__(self) -> None:
        self.now = 0.0

    def perf_counter(self) -> float:
        return self.now


class Nobody:
    """Others that take nothing of the machine."""

    processors = 0.0


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    monkeypatch.setattr(step, "time", made)
    monkeypatch.setattr(step_runs, "time", made)
    monkeypatch.setattr(step, "Others", Nobody)
    monkeypatch.setattr(step, "held", lambda data: Endless(0.0))
    return made


class Endless:
    """Stands in for a dataset: what each of its batches costs whoever takes it."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.count = 0

    def take(self, count: int) -> Endless:
        taken = Endless(self.seconds)
        taken.count = count
        return taken

    def repeat(self) -> Endless:
        return self


def stepping(clock: Clock, work: float, disturbed: Callable[[float], float] = lambda now: 1.0) -> step.Run:
    """A consumer that works so long on each batch, on a machine that is slower at times."""

    def run(data: Endless, turn: Turn) -> Turn:
        while not turn.is_enough:
            seconds = (work + data.seconds) * disturbed(clock.now)
            clock.now += seconds
            turn.add(seconds)
        return turn

    return run


def figures(found: Step | None) -> tuple[float, float, float]:
    assert found is not None
    return found.seconds, found.period_seconds, found.waiting_share


def test_what_the_input_costs_is_the_difference_to_a_batch_in_memory(clock: Clock) -> None:
    found = time_step(stepping(clock, 0.01), Endless(0.03), Terms(5.0, pipeline_seconds=0.03))
    assert figures(found) == pytest.approx((0.01, 0.04, 0.75))
    assert found.spread == pytest.approx(0.02)


def test_a_disturbance_hits_both_and_makes_the_interval_wider(clock: Clock) -> None:
    found = time_step(
        stepping(clock, 0.01, lambda now: 2.0 if 1.0 < now < 4.0 else 1.0), Endless(0.03), Terms(5.0, 0.06)
    )
    assert found.waiting_share == pytest.approx(0.75, abs=found.waiting_spread)
    assert found.spread > 0.2


def test_turns_in_which_others_took_the_processors_do_not_count(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    def is_busy(now: float) -> bool:
        return 1.0 < now < 2.2

    class Others:
        @property
        def processors(self) -> float:
            return float(is_busy(clock.now))

    monkeypatch.setattr(step, "Others", Others)
    run = stepping(clock, 0.01, lambda now: 2.0 if is_busy(now) else 1.0)
    found = time_step(run, Endless(0.03), Terms(5.0, pipeline_seconds=0.03))
    assert figures(found) == pytest.approx((0.01, 0.04, 0.75))
    assert found.waiting_spread <= 0.1


def test_the_input_costs_no_more_than_the_pipeline_needs(clock: Clock) -> None:
    found = time_step(stepping(clock, 0.1), Endless(0.05), Terms(5.0, pipeline_seconds=0.02))
    assert figures(found) == pytest.approx((0.13, 0.15, 0.02 / 0.15))


def test_a_period_of_many_steps_is_the_inputs_though_the_pipeline_is_faster_alone(clock: Clock) -> None:
    found = time_step(stepping(clock, 0.002), Endless(0.1), Terms(5.0, pipeline_seconds=0.08))
    assert found.seconds == pytest.approx(0.004)


def test_an_interval_ends_where_the_pipeline_needs_no_more(clock: Clock) -> None:
    found = time_step(stepping(clock, 1.0), Endless(0.06), Terms(1.0, pipeline_seconds=0.06))
    assert found.waiting_share == pytest.approx(0.06 / 1.06)
    assert found.waiting_spread < 0.06


def test_a_step_far_slower_than_the_pipeline_is_timed_once_and_waits_for_nothing(clock: Clock) -> None:
    found = time_step(stepping(clock, 0.176), Endless(0.01), Terms(5.0, pipeline_seconds=1e-5))
    assert figures(found) == pytest.approx((0.176, 0.176, 0.0))
    assert clock.now < 1.5


def test_of_a_step_of_many_seconds_one_behind_the_first_is_enough(clock: Clock) -> None:
    found = time_step(stepping(clock, 8.5), Endless(0.0), Terms(5.0, pipeline_seconds=0.08))
    assert figures(found) == pytest.approx((8.5, 8.5, 0.0))
    assert clock.now == pytest.approx(17.0)


def test_after_a_long_trace_no_single_batch_speaks_for_all(clock: Clock) -> None:
    def run(data: Endless, turn: Turn) -> Turn:
        while not turn.is_enough:
            traces, stumbles = clock.now == 0.0, len(turn.spans) == 3
            seconds = 6.0 if traces else 0.04 if stumbles else 0.001 + data.seconds
            clock.now += seconds
            turn.add(seconds)
        return turn

    assert time_step(run, Endless(0.03), Terms(5.0, pipeline_seconds=0.03)).waiting_share > 0.9


def test_of_short_epochs_their_starts_are_a_part_of_what_the_input_costs(clock: Clock) -> None:
    ends = Endless(0.0)

    def run(data: Endless, turn: Turn) -> Turn:
        batches = itertools.cycle(range(10))
        while not turn.is_enough:
            begins = data is ends and next(batches) == 9
            seconds = 0.01 + 0.2 * begins
            clock.now += seconds
            turn.add(seconds, begins_epoch=begins)
        return turn

    terms = Terms(5.0, pipeline_seconds=1e-5, epoch_batches=10)
    found = time_step_on(run, Endless(0.0), Endless(0.0), terms, in_epochs=ends)
    assert figures(found) == pytest.approx((0.01, 0.03, 2 / 3))
    assert found.has_starts


def looped(clock: Clock, timer: LoopTimer, waits: float, works: float) -> Step | None:
    """A loop that goes on until its timer is content; a batch in memory is there at once."""
    timer.enter()
    while not timer.done:
        clock.now += 0.0 if timer.on_held else waits
        timer.leave()
        clock.now += works
        timer.enter()
    return timer.step()


@pytest.mark.parametrize("exchanges", [True, False])
def test_a_loop_is_timed_by_turns_or_else_by_its_waits(clock: Clock, exchanges: bool) -> None:
    found = looped(clock, LoopTimer(Terms(5.0), exchanges=exchanges), waits=0.03, works=0.01)
    assert figures(found) == pytest.approx((0.01, 0.04, 0.75))


def test_a_loop_that_waits_long_is_seen_to_wait_though_its_batches_are_few(clock: Clock) -> None:
    found = looped(clock, LoopTimer(Terms(1.0), exchanges=False), waits=2.0, works=0.5)
    assert figures(found) == pytest.approx((0.5, 2.5, 0.8))
    assert clock.now < 10


def test_a_loop_that_ends_at_once_has_no_step(clock: Clock) -> None:
    for exchanges in (True, False):
        assert LoopTimer(Terms(1.0), exchanges=exchanges).step() is None


def calling(clock: Clock, by_itself: float, work: float) -> Callable[[Any], None]:
    def call(data: Endless) -> None:
        clock.now += by_itself + data.count * max(work, data.seconds)

    return call


@pytest.mark.parametrize("work", [1e-5, 1e-3, 3.0])
def test_a_traced_loop_has_a_step_of_any_length(clock: Clock, work: float) -> None:
    by_itself = 0.02 if work < 1 else 0.0
    found = time_step(by_traced_loop(calling(clock, by_itself, work)), Endless(4 * work), Terms(1.0))
    assert figures(found) == pytest.approx((work, 4 * work, 0.75))
