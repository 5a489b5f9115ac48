"""How the time of a step is told from the time that it waits."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

pytest.importorskip("tensorflow", reason="steps are timed on TensorFlow")

from pipelint.dynamic.measure import step
from pipelint.dynamic.measure.step import LoopTimer, assemble, time_traced_loop
from pipelint.model.cost import Step


class Clock:
    """Time that passes only when told."""

    def __init__(self) -> None:
        self.now = 0.0

    def perf_counter(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    monkeypatch.setattr(step, "time", made)
    return made


def looped(clock: Clock, timer: LoopTimer, waits: float, works: float) -> Step | None:
    """A loop that goes on until its timer is content."""
    timer.enter()
    while not timer.done:
        clock.now += waits
        timer.leave()
        clock.now += works
        timer.enter()
    return timer.step()


def test_a_loop_waits_inside_next_and_works_between(clock: Clock) -> None:
    found = looped(clock, LoopTimer(5.0), waits=0.03, works=0.01)
    assert found is not None
    assert (found.seconds, found.period_seconds, found.waiting_share) == pytest.approx((0.01, 0.04, 0.75))


def test_a_loop_that_waits_long_is_seen_to_wait_though_its_batches_are_few(clock: Clock) -> None:
    found = looped(clock, LoopTimer(1.0), waits=2.0, works=0.5)
    assert found is not None
    assert (found.seconds, found.waiting_share) == pytest.approx((0.5, 0.8))
    assert clock.now < 10


def test_a_batch_in_memory_takes_no_longer_than_a_real_one() -> None:
    found = assemble(0.008, period=0.004, gaps=[0.003] * 5)
    assert found.seconds <= found.period_seconds
    assert found.waiting_share == pytest.approx(0.25)


class Endless:
    """Stands in for a dataset: each batch takes its time when a call takes it."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.count = 0

    def take(self, count: int) -> Endless:
        taken = Endless(self.seconds)
        taken.count = count
        return taken

    def repeat(self) -> Endless:
        return self


def calling(clock: Clock, by_itself: float, work: float) -> Callable[[Any], None]:
    def call(data: Endless) -> None:
        clock.now += by_itself + data.count * max(work, data.seconds)

    return call


@pytest.mark.parametrize("work", [1e-5, 1e-3, 3.0])
def test_a_traced_loop_has_a_step_of_any_length(clock: Clock, monkeypatch: pytest.MonkeyPatch, work: float) -> None:
    monkeypatch.setattr(step, "held", lambda data: Endless(0.0))
    by_itself = 0.02 if work < 1 else 0.0
    found = time_traced_loop(calling(clock, by_itself, work), Endless(4 * work), 1.0)
    assert (found.seconds, found.period_seconds) == pytest.approx((work, 4 * work))
    assert found.waiting_share == pytest.approx(0.75)
