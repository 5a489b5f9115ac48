"""How consumers are run on a dataset of ours, so that the time from batch to batch can be seen."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable
from typing import Any

import tensorflow as tf

from pipelint.dynamic.measure.engine import snapshot
from pipelint.dynamic.measure.step import Run, Turn

_FEW, _GROWTH, _MOST = 2, 4, 8192
"""Batches of the first call of a traced loop, by how much each call is longer, and of the longest."""
_ENOUGH = 50


class _Enough(BaseException):
    """Ends a loop that is not ours; no `except Exception` on the way may stop it."""


def by_keras(run: Callable[..., Any], callback_type: type) -> Run:
    """`fit`, `evaluate` or `predict`: `run` takes a dataset and a list of callbacks."""

    def timed(dataset: Any, turn: Turn) -> Turn:
        with contextlib.suppress(_Enough):
            run(dataset, callbacks=[_clock(callback_type, turn)])
        return turn

    return timed


def _clock(callback_type: Any, turn: Turn) -> Any:
    """A callback that notes the time of each batch, and ends the run when there are enough."""

    class Clock(callback_type):  # type: ignore[misc]
        last: tuple[int, float] | None = None

        def on_train_batch_begin(self, batch: int, logs: object = None) -> None:
            now = time.perf_counter()
            before, self.last = self.last, (batch, now)
            if before is not None:
                # Several that one call takes share its time; a new epoch begins with its first.
                is_next = batch > before[0]
                turn.add((now - before[1]) / (batch - before[0] if is_next else 1), begins_epoch=not is_next)
            if turn.is_enough:
                raise _Enough

        on_test_batch_begin = on_predict_batch_begin = on_train_batch_begin

    return Clock()


def by_traced_loop(call: Callable[[Any], Any]) -> Run:
    """A traced function that loops over the dataset it is given."""

    def timed(endless: Any, turn: Turn) -> Turn:
        turn.add(_seconds_per_batch(call, endless, turn.budget))
        return turn

    return timed


def _seconds_per_batch(call: Callable[[Any], Any], endless: Any, budget: float) -> float:
    """The time of a batch in calls that grow until batches are most of them, without what a call costs by itself."""

    def timed(count: int) -> float:
        begun = time.perf_counter()
        call(endless.take(count))
        return time.perf_counter() - begun

    timed(_FEW)  # it may be traced
    count, first = _FEW, timed(_FEW)
    elapsed = spent = first
    while count < _MOST and spent < budget and (count < _ENOUGH or elapsed < _GROWTH * first):
        count *= _GROWTH
        elapsed = timed(count)
        spent += elapsed
    if elapsed > first:
        return (elapsed - first) / (count - _FEW)
    return elapsed / count


def by_traced_call(call: Callable[[Any], Any]) -> Run:
    """A traced function that takes its batches from the iterator it is given, one or more in a call."""

    def timed(dataset: Any, turn: Turn) -> Turn:
        iterator = iter(dataset)
        call(iterator)
        per_call = max(1, _taken(iterator))
        while not turn.is_enough:
            begun = time.perf_counter()
            call(iterator)
            turn.add((time.perf_counter() - begun) / per_call)
        return turn

    return timed


def _taken(iterator: Any) -> int:
    try:
        return snapshot(iterator).elements
    except (tf.errors.OpError, AttributeError):
        return 0
