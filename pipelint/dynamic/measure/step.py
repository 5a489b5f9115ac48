"""What a consumer does with a batch: its time on a batch held in memory, and how long it waits for real ones."""

from __future__ import annotations

import contextlib
import statistics
import time
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

import tensorflow as tf

from pipelint.dynamic.measure.engine import snapshot
from pipelint.model.cost import Step

_WARM_UP = 3
"""Calls that trace, compile and fill buffers."""
_ENOUGH = 50
_LEAST = 3
_FEW, _GROWTH, _MOST = 2, 4, 8192
"""Batches of the first call of a traced loop, by how much each call is longer, and of the longest."""


class StepError(Exception):
    """Why a step has no time."""


class _Enough(BaseException):
    """Ends a loop that is not ours; no `except Exception` on the way may stop it."""


def held(dataset: Any) -> Any:
    """The first batch over and over, from memory; the same to a traced function as the dataset itself."""
    return dataset.take(1).cache().repeat()


def consumer_gaps(iterator: Any) -> list[float]:
    """How long the consumer was at work between its last batches, as the engine saw it."""
    try:
        return list(snapshot(iterator).gaps)
    except (tf.errors.OpError, AttributeError, TypeError, ValueError):
        return []


def assemble(seconds: float, period: float, gaps: Sequence[float] = ()) -> Step:
    """The step of these times; what it waits is told by the consumer's own gaps, else by the batch in memory."""
    busy = _mean(gaps) if len(gaps) >= _LEAST else seconds
    # A batch in memory takes no longer than a real one: what says so is a disturbance.
    return Step(min(seconds, busy), max(period, busy), max(0.0, 1 - busy / period) if period > 0 else 0.0)


def _mean(times: Sequence[float]) -> float:
    """The mean without the longest, which may be a trace; waits come in bursts, of which a median says little."""
    return statistics.fmean(sorted(times)[:-1] or times)


def _warm_up(count: int) -> int:
    """How many of so many times to leave out, so that one at least is left."""
    return min(_WARM_UP, count - 1)


class LoopTimer:
    """Times the user's own loop: inside `next` it waits, between two of them it works."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._begun = self._entered = time.perf_counter()
        self._left: float | None = None
        self._waits: list[float] = []
        self._works: list[float] = []

    def enter(self) -> None:
        """The loop asks for a batch."""
        now = time.perf_counter()
        if self._left is not None:
            self._works.append(now - self._left)
        self._entered = now

    def leave(self) -> None:
        """The loop has its batch."""
        self._left = time.perf_counter()
        self._waits.append(self._left - self._entered)

    @property
    def done(self) -> bool:
        """Whether enough is known, or the time is up."""
        late = time.perf_counter() - self._begun > self._seconds
        return len(self._works) >= (_LEAST if late else _WARM_UP + _ENOUGH)

    def step(self) -> Step | None:
        """The median step, None where the loop ended too soon."""
        if not self._works:
            return None
        begin = _warm_up(len(self._works))
        works, waits = self._works[begin:], self._waits[begin:]
        work, wait = statistics.median(works), _mean(waits[: len(works)])
        return Step(work, work + wait, wait / (work + wait))


def time_keras(
    run: Callable[..., Any], callback_type: type, dataset: Any, iterators: list[Any], seconds: float
) -> Step:
    """The step of `fit`, `evaluate` or `predict`, by running that method itself on a held and on the real dataset.

    `run` takes a dataset and a list of callbacks; `iterators` collects the iterators that are made meanwhile.
    """

    def timed(data: Any, budget: float) -> list[float]:
        clock = _clock(callback_type, budget)
        with contextlib.suppress(_Enough):
            run(data, callbacks=[clock])
        return _spans(clock.times)

    in_memory = timed(held(dataset), seconds / 3)
    iterators.clear()
    period = _mean(timed(dataset.repeat(), seconds * 2 / 3))
    gaps = consumer_gaps(iterators[-1])[_WARM_UP:] if iterators else []
    return assemble(statistics.median(in_memory), period, gaps)


def _clock(callback_type: Any, budget: float) -> Any:
    """A callback that notes when each batch begins, and ends the run when it has seen enough."""

    class Clock(callback_type):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__()
            self.times: list[tuple[int, float]] = []

        def on_train_batch_begin(self, batch: int, logs: object = None) -> None:
            now = time.perf_counter()
            self.times.append((batch, now))
            late = now - self.times[0][1] > budget
            if len(self.times) > (_LEAST - 1 if late else _WARM_UP + _ENOUGH):
                raise _Enough

        on_test_batch_begin = on_predict_batch_begin = on_train_batch_begin

    return Clock()


def _spans(times: Sequence[tuple[int, float]]) -> list[float]:
    """The time of each batch; several that one call takes share its time."""
    spans = [(after - before) / (last - first) for (first, before), (last, after) in pairwise(times) if last > first]
    if not spans:
        raise StepError("its dataset has too few batches")
    return spans[_warm_up(len(spans)) :]


def time_traced_loop(call: Callable[[Any], Any], dataset: Any, seconds: float) -> Step:
    """The step of a traced function that loops over the dataset it is given."""
    call(held(dataset).take(_FEW))
    per_step = _seconds_per_batch(call, held(dataset), seconds / 3)
    return assemble(per_step, _seconds_per_batch(call, dataset.repeat(), seconds * 2 / 3))


def _seconds_per_batch(call: Callable[[Any], Any], endless: Any, budget: float) -> float:
    """The time of a batch in calls that grow until batches are most of them, without what a call costs by itself."""

    def timed(count: int) -> float:
        begun = time.perf_counter()
        call(endless.take(count))
        return time.perf_counter() - begun

    count, first = _FEW, timed(_FEW)
    elapsed = spent = first
    while count < _MOST and spent < budget and (count < _ENOUGH or elapsed < _GROWTH * first):
        count *= _GROWTH
        elapsed = timed(count)
        spent += elapsed
    if elapsed > first:
        return (elapsed - first) / (count - _FEW)
    return elapsed / count


def time_traced_call(call: Callable[[Any], Any], dataset: Any, seconds: float) -> Step:
    """The step of a traced function that takes its batches from the iterator it is given."""

    def timed(data: Any, budget: float) -> tuple[float, list[float]]:
        iterator = iter(data)
        call(iterator)
        begun, calls, batches = time.perf_counter(), 0, _taken(iterator)
        while calls < _ENOUGH and (calls < _LEAST or time.perf_counter() - begun < budget):
            call(iterator)
            calls += 1
        elapsed = time.perf_counter() - begun
        taken = _taken(iterator) - batches
        return elapsed / (taken or calls), consumer_gaps(iterator)

    per_step, _ = timed(held(dataset), seconds / 3)
    period, gaps = timed(dataset.repeat(), seconds * 2 / 3)
    return assemble(per_step, period, gaps[_WARM_UP:])


def _taken(iterator: Any) -> int:
    try:
        return snapshot(iterator).elements
    except tf.errors.OpError:
        return 0
