"""Runs a dataset with an empty consumer until its speed is steady, and counts what happens then."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import tensorflow as tf

from pipelint.dynamic.measure import repeatability
from pipelint.dynamic.measure.disturbance import busy_seconds, least_disturbed
from pipelint.dynamic.measure.engine import Snapshot, Tally, snapshot
from pipelint.dynamic.measure.processors_and_memory import resident_bytes
from pipelint.model.cost import Start

_WINDOW_SECONDS = 0.15
_LEAST_BATCHES = 2
_CALL_SECONDS = 0.02
"""What one call into the graph should take: long enough not to count, short enough to look at the engine between."""
_AGREEMENT = 0.08
"""Windows that differ by less are steady."""
_WARM_SHARE = 0.4
"""The part of the time after which a dataset that is not steady yet is measured as it is."""
_PRECISE = 0.02
_STARTS = 3
_LATE = 1.25
"""How much longer than asked for several starts may take."""
_LOOKS_SHARE = 0.03
"""The part of the time that may go into looking at the engine."""


class EmptyDatasetError(Exception):
    """The dataset has no elements."""


@dataclass(frozen=True)
class Window:
    """A short stretch of draining; what looking and draining cost by themselves is taken off."""

    batches: int
    seconds: float
    cpu_seconds: float
    disturbance: float
    """How many processors others used meanwhile."""
    cores_used: float = 0.0
    """How many processors this process used, looking and draining included."""

    @property
    def rate(self) -> float:
        """Batches a second."""
        return self.batches / self.seconds


@dataclass
class Run:
    """What a dataset did while its speed was steady."""

    windows: list[Window] = field(default_factory=list)
    timeline: list[tuple[float, float]] = field(default_factory=list)
    """Seconds since the start and batches a second, warm-up included."""
    last: Snapshot | None = None
    """The engine at the end; None where the options keep it silent."""
    peak_bytes: int = 0
    epochs: int = 1
    starts: list[float] = field(default_factory=list)
    """Seconds from the making of each iterator to its first batch."""
    first: Snapshot | None = None
    """The engine after the very first batch."""
    rates: list[float] = field(default_factory=list)
    """Of each start of its iterator, with which TensorFlow's tuning starts anew, the one rate or several."""

    @property
    def batches(self) -> int:
        """How many batches were counted."""
        return sum(window.batches for window in self.windows)

    @property
    def _quiet(self) -> list[Window]:
        return least_disturbed(self.windows, lambda window: window.disturbance, epochs=self.epochs)

    @property
    def rate(self) -> float:
        """Batches a second."""
        return sum(window.batches for window in self._quiet) / sum(window.seconds for window in self._quiet)

    @property
    def cores_used(self) -> float:
        """How many processors were at work on average."""
        return statistics.fmean(window.cores_used for window in self._quiet)

    @property
    def disturbance(self) -> float:
        """How many processors others used in the quietest half of the time."""
        return statistics.fmean(window.disturbance for window in self._quiet)

    @property
    def spread(self) -> float:
        """The relative half-width of the interval around the rate."""
        windows = [window.rate for window in self._quiet]
        within = repeatability.of_mean(windows)
        return max(within, repeatability.spread(self.rates)) if len(self.rates) > 1 else within

    @property
    def start(self) -> Start:
        """What its iterators took to their first batch."""
        first, *later = self.starts
        usual = statistics.median(later) if later else None
        return Start(first, usual, repeatability.spread(self.starts), in_rate=self.epochs > 1)

    def followed_by(self, other: Run) -> Run:
        """Both as one, in which the other one came later."""
        passed = self.timeline[-1][0] if self.timeline else 0.0
        return Run(
            windows=[*self.windows, *other.windows],
            timeline=[*self.timeline, *((passed + seconds, rate) for seconds, rate in other.timeline)],
            last=other.last,
            peak_bytes=max(self.peak_bytes, other.peak_bytes),
            epochs=max(self.epochs, other.epochs),
            starts=[*self.starts, *other.starts],
            first=self.first,
            rates=[*(self.rates or [self.rate]), *(other.rates or [other.rate])],
        )


@tf.function(reduce_retracing=True)  # type: ignore[untyped-decorator]
def _pull(iterator: Any, count: Any) -> None:
    for _ in tf.range(count):
        next(iterator)


@dataclass(frozen=True)
class _Clocks:
    wall: float
    cpu: float
    machine: float
    taken: int
    calls: int
    looked_seconds: float
    looked_cpu: float


class Drain:
    """Takes batches from a dataset, epoch after epoch, and throws them away."""

    def __init__(
        self, dataset: Any, tally: Tally | None = None, *, warm_batches: int = 1, calibrated: bool = True
    ) -> None:
        self._dataset = dataset
        self._tally = tally
        self._overhead = overhead() if calibrated else (0.0, 0.0)
        self.epochs = 1
        self._calls = self._taken = self._taken_before = 0
        self._looked_seconds = self._looked_cpu = 0.0
        begun = time.perf_counter()
        self._iterator = iter(dataset)
        self.take(1)
        self._start_seconds = time.perf_counter() - begun
        self._first = self.look()
        for _ in range(1, warm_batches):
            self.take(1)
        self._has_model = self._first is not None

    @property
    def taken(self) -> int:
        """How many batches it has taken."""
        return self._taken

    def fill_caches(self, batches: int | None, seconds: float) -> bool:
        """Take a whole epoch, of so many batches where that is known, and tell whether the time was enough."""
        end = time.perf_counter() + seconds
        while self.epochs == 1 and (batches is None or self._taken < batches):
            if time.perf_counter() > end:
                return False
            self.take(1)
        return True

    def run(self, seconds: float, progress: Callable[[float], None] = lambda share: None) -> Run:
        """Drain for at most so long, and less where the rate is known well enough before."""
        run = Run(starts=[self._start_seconds], first=self._first)
        begun = time.perf_counter()
        end = begun + seconds
        tuned: tuple[float, ...] | None = None
        steady = False
        while True:
            window = self.window(end)
            now = time.perf_counter()
            run.timeline.append((now - begun, window.rate))
            run.peak_bytes = max(run.peak_bytes, resident_bytes())
            progress(min(1.0, (now - begun) / seconds))
            if steady or now >= end:
                run.windows.append(window)
            elif now > begun + _WARM_SHARE * seconds:
                steady = True
            else:
                seen = self.look()
                recent = [rate for _, rate in run.timeline[-3:]]
                unmoved = seen is None or seen.parameters == tuned
                steady = len(recent) == 3 and _agree(recent) and unmoved
                tuned = seen.parameters if seen else None
            if now >= end or (len(run.windows) >= 6 and run.spread < _PRECISE):
                run.last, run.epochs = self.look(), self.epochs
                return run

    def window(self, end: float = 0.0, seconds: float = _WINDOW_SECONDS) -> Window:
        """Drain for a moment; a window without enough batches goes on until the end at most."""
        start = self._clocks()
        count, next_look = 1, start.wall
        while True:
            self.take(count)
            now = time.perf_counter()
            done = self._taken - start.taken
            if now - start.wall >= seconds and (done >= _LEAST_BATCHES or (done and now >= end)):
                self.look()
                return self._between(start, self._clocks())
            count = max(1, int(done / (now - start.wall) * _CALL_SECONDS)) if self._has_model else 1
            if self._tally is not None and now >= next_look:
                before = self._looked_seconds
                self.look()
                next_look = time.perf_counter() + (self._looked_seconds - before) / _LOOKS_SHARE

    def take(self, count: int) -> None:
        """Take so many batches, or what is left of an epoch."""
        self._calls += 1
        try:
            if count == 1:
                next(self._iterator)
            else:
                _pull(self._iterator, tf.constant(count, tf.int32))
            self._taken += count
        except (StopIteration, tf.errors.OutOfRangeError):
            self._begin_epoch()

    def look(self) -> Snapshot | None:
        """Ask the engine, and count what it has done; None where the options keep it silent."""
        start, cpu = time.perf_counter(), time.thread_time()
        try:
            seen = snapshot(self._iterator)
        except tf.errors.NotFoundError:
            return None
        if self._tally is not None:
            self._tally.add(seen)
        self._looked_seconds += time.perf_counter() - start
        self._looked_cpu += time.thread_time() - cpu
        return seen

    def _begin_epoch(self) -> None:
        seen = self.look()
        if seen is not None:
            self._taken = self._taken_before + seen.elements
        if self._taken == self._taken_before:
            raise EmptyDatasetError
        self._taken_before = self._taken
        self.epochs += 1
        self._iterator = iter(self._dataset)
        if self._tally is not None:
            self._tally.restart()

    def _clocks(self) -> _Clocks:
        return _Clocks(
            time.perf_counter(),
            time.process_time(),
            busy_seconds(),
            self._taken,
            self._calls,
            self._looked_seconds,
            self._looked_cpu,
        )

    def _between(self, start: _Clocks, end: _Clocks) -> Window:
        batches = end.taken - start.taken
        per_call, per_element = self._overhead
        own = (end.calls - start.calls) * per_call + batches * per_element
        wall = end.wall - start.wall - (end.looked_seconds - start.looked_seconds)
        cpu = end.cpu - start.cpu - (end.looked_cpu - start.looked_cpu)
        lasted, used = end.wall - start.wall, end.cpu - start.cpu
        others = max(0.0, end.machine - start.machine - used) / lasted
        return Window(batches, max(wall - own, 0.1 * wall), max(cpu - own, 0.0), others, used / lasted)


def drained(make: Callable[[], Drain], seconds: float, progress: Callable[[float], None]) -> Run:
    """Drain a dataset from several starts where the time allows, since what comes of tuning differs between them."""
    begun = time.perf_counter()

    def tell(_: float) -> None:
        progress(min(1.0, (time.perf_counter() - begun) / seconds))

    run: Run | None = None
    for _ in range(_STARTS):
        before = time.perf_counter()
        part = make().run(seconds / _STARTS, tell)
        run = part if run is None else run.followed_by(part)
        now = time.perf_counter()
        # Filling buffers is no part of a drain's own time.
        if now - begun + (now - before) > _LATE * seconds:
            break
    assert run is not None
    return run


def _agree(rates: list[float]) -> bool:
    middle = statistics.fmean(rates)
    return middle > 0 and max(abs(rate - middle) for rate in rates) <= _AGREEMENT * middle


@lru_cache(maxsize=1)
def overhead() -> tuple[float, float]:
    """What draining itself costs: seconds for each call, and for each element of a call."""
    drain = Drain(tf.data.Dataset.range(1 << 60), calibrated=False)
    times = {count: min(_timed(drain, count) for _ in range(50)) for count in (1, 200)}
    per_element = max(0.0, (times[200] - times[1]) / 199)
    return max(0.0, times[1] - per_element), per_element


def _timed(drain: Drain, count: int) -> float:
    start = time.perf_counter()
    drain.take(count)
    return time.perf_counter() - start
