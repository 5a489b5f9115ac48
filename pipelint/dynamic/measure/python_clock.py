"""Times the Python functions that a pipeline calls: their time on the wall, on a processor, and with the lock held."""

from __future__ import annotations

import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from pipelint.dynamic.measure.disturbance import RunDelay

_PROBE_SECONDS = 0.002
_SWITCH_SECONDS = 0.005
"""After so long Python takes the lock from a thread that another one waits for."""


@dataclass
class CallTimes:
    """What the calls of one Python function took."""

    calls: int = 0
    seconds: float = 0.0
    cpu_seconds: float = 0.0
    delayed_seconds: float = 0.0
    """When other programs had the processor."""

    @property
    def waited_seconds(self) -> float:
        """When they had nothing to compute."""
        return max(0.0, self.seconds - self.cpu_seconds - self.delayed_seconds)

    @property
    def busy_seconds(self) -> float:
        """When they had something to compute, whoever had the processor."""
        return self.seconds - self.waited_seconds


@dataclass
class PythonClock:
    """Listens to every Python function that TensorFlow's graphs call, by the token of the call."""

    times: dict[str, CallTimes] = field(default_factory=lambda: defaultdict(CallTimes))
    lateness: float = 0.0
    """How long a thread that wakes up waits for the interpreter lock, in seconds."""
    _probe: _LockProbe | None = None
    _counting: bool = True
    _delayed: RunDelay = field(default_factory=RunDelay)

    def reset(self) -> None:
        """Forget what was seen so far."""
        self.times.clear()
        if self._probe is not None:
            self._probe.looks, self._probe.waited = 0, 0.0

    def pause(self) -> None:
        """Count no more for now."""
        self._counting = False
        if self._probe is not None:
            self.lateness = self._probe.waited / max(1, self._probe.looks)

    def resume(self) -> None:
        """Go on counting."""
        self._counting = True

    def lock_share(self, seconds: float) -> float:
        """The part of their own work in which the functions held the lock, out of so many seconds in all."""
        calls = sum(times.calls for times in self.times.values())
        working = sum(times.cpu_seconds for times in self.times.values())
        if not calls or not seconds:
            return 1.0
        # Who comes at any moment finds a function at work so often, and waits for half of what it does.
        expected = min(working / seconds, 1.0) * min(working / calls / 2, _SWITCH_SECONDS)
        return min(1.0, self.lateness / expected) if expected else 1.0

    def call(self, name: str, function: Callable[..., Any], *args: Any) -> Any:
        """Call a function and count what it takes under a name."""
        if not self._counting:
            return function(*args)
        entry, delayed = self.times[name], self._delayed
        start, cpu, delay = time.perf_counter(), time.thread_time(), delayed.seconds()
        try:
            return function(*args)
        finally:
            entry.calls += 1
            entry.delayed_seconds += delayed.seconds() - delay
            entry.cpu_seconds += time.thread_time() - cpu
            entry.seconds += time.perf_counter() - start

    @contextmanager
    def listening(self, *, to_the_lock: bool) -> Iterator[None]:
        """Time the calls inside this block."""
        from tensorflow.python.ops import script_ops

        registry: Any = script_ops.FuncRegistry
        plain = registry.__call__

        def timed(registry: Any, token: Any, device: Any, args: Any) -> Any:
            name = token.decode() if isinstance(token, bytes) else str(token)
            return self.call(name, plain, registry, token, device, args)

        registry.__call__ = timed
        if to_the_lock:
            self._probe = _LockProbe(lambda: self._counting)
            self._probe.start()
        try:
            yield
        finally:
            registry.__call__ = plain
            if self._probe is not None:
                self._probe.stop()
                self._probe = None


class _LockProbe(threading.Thread):
    """Wakes up now and then and notes whether it had to wait for the interpreter lock."""

    def __init__(self, wanted: Callable[[], bool]) -> None:
        super().__init__(daemon=True)
        self._done = threading.Event()
        self._wanted = wanted
        self._usual = _usual_lateness()
        self.looks, self.waited = 0, 0.0

    def run(self) -> None:
        """Look at the lock until told to stop."""
        while not self._done.is_set():
            start = time.perf_counter()
            time.sleep(_PROBE_SECONDS)
            late = time.perf_counter() - start - _PROBE_SECONDS
            if self._wanted():
                self.looks += 1
                self.waited += max(0.0, late - self._usual)

    def stop(self) -> None:
        """End the thread."""
        self._done.set()
        self.join()


def _usual_lateness() -> float:
    lateness = []
    for _ in range(15):
        start = time.perf_counter()
        time.sleep(_PROBE_SECONDS)
        lateness.append(time.perf_counter() - start - _PROBE_SECONDS)
    return sorted(lateness)[len(lateness) // 2]
