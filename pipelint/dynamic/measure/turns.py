"""Two datasets run in turns, so that what disturbs the machine disturbs both."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from pipelint.dynamic.measure import repeatability
from pipelint.dynamic.measure.drain import Drain, Run

_Measured = TypeVar("_Measured")
_ROUNDS = 3


@dataclass(frozen=True)
class Ratio:
    """How many times as large one figure is as another one."""

    middle: float
    spread: float
    """How far another run may be off, relative to it."""


def ratio_of_rates(before: Any, after: Any, *, seconds: float, warm_batches: int) -> Ratio:
    """How many times as fast the second dataset is as the first, in about so many seconds."""

    def run(dataset: Any) -> Run:
        # A new iterator each time: one that waits for its turn fills its buffers meanwhile. What taking a batch costs
        # stays in, as every consumer pays it: next to nothing would be left of the time of a fast pipeline.
        return Drain(dataset, warm_batches=warm_batches, calibrated=False).run(seconds / _ROUNDS / 2)

    pairs = _in_turns(run, before, after, seconds)
    ratios = [other.rate / one.rate for one, other in pairs]
    # Who is given a busy processor differs from turn to turn by as much as others take of it.
    disturbance = statistics.fmean(each.disturbance for pair in pairs for each in pair)
    return Ratio(statistics.median(ratios), max(repeatability.spread(ratios), disturbance))


def seconds_to_start(before: Any, after: Any, *, seconds: float) -> list[tuple[float, float]]:
    """What each of two datasets takes to give its first element, several times in about so many seconds."""

    def start(dataset: Any) -> float:
        begun = time.perf_counter()
        next(iter(dataset))
        return time.perf_counter() - begun

    return _in_turns(start, before, after, seconds)


def _in_turns(
    measure: Callable[[Any], _Measured], before: Any, after: Any, seconds: float
) -> list[tuple[_Measured, _Measured]]:
    begun, pairs = time.perf_counter(), list[tuple[_Measured, _Measured]]()
    while len(pairs) < _ROUNDS and (not pairs or time.perf_counter() - begun < seconds):
        pairs.append((measure(before), measure(after)))
    return pairs
