"""Measures what feeds a consumer without tf.data: arrays, a generator, a PyDataset, or what a loop takes batches from.

It is a pipeline of one stage, since nobody sees into the Python code that makes a batch.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from pipelint.dynamic.measure.drain import Drain, drained
from pipelint.dynamic.measure.measurement import TellProgress
from pipelint.dynamic.measure.processors_and_memory import cores, enough_threads
from pipelint.dynamic.measure.python_clock import PythonClock
from pipelint.dynamic.measure.repeatability import of_mean
from pipelint.model.consumer import Consumer
from pipelint.model.cost import Cost, Measurement
from pipelint.model.definitions import MappedFunction
from pipelint.model.feed import FeedKind
from pipelint.model.locations import NOWHERE, Place
from pipelint.model.pipeline import Pipeline, Stage
from pipelint.model.values import Argument, Literal

_SHARE = 0.3
"""The part of the time for the batches by themselves."""
_LEAST, _MOST = 2, 200
FEW = 5
"""Batches of what may end soon: those that are taken here are lost for the step."""
_HOLDS_THE_LOCK = 0.5


class FeedError(Exception):
    """The user's code raised, as `__cause__` says, or gave nothing."""


@dataclass(frozen=True)
class FeedSource:
    """Where batches come from."""

    kind: FeedKind
    place: Place | None
    """The generator function, `__getitem__`, or the call that is given arrays."""
    name: str | None = None
    """Of the function or class."""
    workers: int = 1
    in_processes: bool = False
    """Whether the workers are processes, and so share no lock."""
    runs_ahead: bool = False
    """Whether batches are made while the consumer is busy."""

    def pipeline(self, consumer: Consumer, cost: Cost, known: Measurement) -> Pipeline:
        """The pipeline of one stage that this is, as it was measured."""
        at = self.place or NOWHERE
        workers = {"workers": self.workers} if self.workers > 1 else {}
        processes = {"use_multiprocessing": True} if self.in_processes else {}
        stage = Stage(
            op=self.kind.value,
            name=at,
            call=at,
            function=MappedFunction(self.name, at, resolved=False) if self.name else None,
            arguments={name: Argument(Literal(value), at) for name, value in {**workers, **processes}.items()},
            is_source=True,
            yields_batches=True,
            built_in=self.place.function if self.place is not None else "",
            cost=cost,
        )
        pipeline = Pipeline(stage, measurement=known).consumed_by(consumer)
        pipeline.adopt_stages()
        return pipeline

    def measurement(self, cost: Cost, spread: float, batches: int) -> Measurement:
        """What all workers give together, and what as many processes as help would, where there can be some."""
        in_processes = _rate(cost, enough_threads(cores()), lock=False)
        return Measurement(
            batches_per_second=_rate(cost, self.workers, lock=not self.in_processes),
            best_batches_per_second=in_processes if self.kind is FeedKind.PYDATASET else None,
            spread=spread,
            batches=batches,
            prefetch_injected=self.runs_ahead,
        )


def measure_calls(
    source: FeedSource,
    take: Callable[[], Any],
    consumer: Consumer,
    *,
    seconds: float,
    progress: TellProgress,
    most: int = _MOST,
) -> Pipeline:
    """Measure batches that Python makes, one after the other; StopIteration ends them."""
    clock, spans = PythonClock(), list[float]()
    begun = time.perf_counter()
    with clock.listening(to_the_lock=True):
        while len(spans) < most and (time.perf_counter() - begun < _SHARE * seconds or len(spans) < _LEAST):
            before = time.perf_counter()
            try:
                clock.call("", take)
            except StopIteration:
                break
            except Exception as error:
                raise FeedError from error
            spans.append(time.perf_counter() - before)
            progress("measuring the batches", min(1.0, (spans[-1] + before - begun) / (_SHARE * seconds)))
        clock.pause()
        lasted = time.perf_counter() - begun
    if not spans:
        raise FeedError(f"the {source.kind.value} gives no batches")
    cost = _cost(clock, lasted, source)
    return source.pipeline(consumer, cost, source.measurement(cost, spread=of_mean(spans), batches=len(spans)))


def _rate(cost: Cost, workers: int, *, lock: bool) -> float:
    """Batches a second, as far as workers, processors and Python's lock allow."""
    scarcest = max(cost.seconds / workers, cost.lock_seconds if lock else 0.0, cost.cpu_seconds / cores())
    return 1 / scarcest if scarcest > 0 else float("inf")


def _cost(clock: PythonClock, lasted: float, source: FeedSource) -> Cost:
    times, held = clock.times[""], clock.lock_share(lasted)
    seconds = times.cpu_seconds + times.waited_seconds
    lock = 0.0 if source.in_processes else times.cpu_seconds * (1.0 if held > _HOLDS_THE_LOCK else held)
    per = 1 / times.calls
    return Cost(1.0, seconds * per, times.cpu_seconds * per, lock * per, parallelism=float(source.workers))


def measure_made_by_keras(
    source: FeedSource, dataset: Any, consumer: Consumer, *, seconds: float, progress: TellProgress
) -> Pipeline:
    """Measure the dataset that Keras makes of arrays, as a whole."""
    run = drained(lambda: Drain(dataset), _SHARE * seconds, lambda share: progress("measuring the batches", share))
    # Arrays are in memory: what is not work is what others took of the processors.
    cost = Cost(1.0, 1 / run.rate, 1 / run.rate)
    known = Measurement(
        batches_per_second=run.rate,
        spread=run.spread,
        timeline=tuple(run.timeline),
        cores_used=run.cores_used,
        batches=run.batches,
        prefetch_injected=True,
        start=run.start,
    )
    return source.pipeline(consumer, cost, known)
