"""How much of the machine others take: other programs, and other machines on the same host."""

from __future__ import annotations

import os
import statistics
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

_STAT = Path("/proc/stat")
_THREAD = Path("/proc/thread-self/schedstat")
_IDLE = (3, 4)
"""Where the first line counts idle processors and those that wait for a disk."""
_OWN = slice(0, 8)
"""User, nice, system, idle, waiting, two kinds of interrupts, stolen; guests are counted in user already."""
_Measured = TypeVar("_Measured")


def busy_seconds() -> float:
    """Processor time that all programs together have used, and what the host withheld; 0 where nobody tells."""
    try:
        with _STAT.open(encoding="ascii") as stat:
            ticks = [int(field) for field in stat.readline().split()[1:]][_OWN]
    except (OSError, ValueError):
        return 0.0
    return (sum(ticks) - sum(ticks[index] for index in _IDLE)) / os.sysconf("SC_CLK_TCK")


class Others:
    """Counts what others take of the processors from now on."""

    def __init__(self) -> None:
        self._wall, self._own, self._all = time.perf_counter(), time.process_time(), busy_seconds()

    @property
    def processors(self) -> float:
        """How many they have taken on average."""
        own, lasted = time.process_time() - self._own, time.perf_counter() - self._wall
        return max(0.0, busy_seconds() - self._all - own) / lasted


class RunDelay(threading.local):
    """How long this thread could have run but had no processor, as the scheduler counts it."""

    def __init__(self) -> None:
        # What a thread keeps goes when it ends, or at each return to a thread that TensorFlow made.
        try:
            self._file: _OpenFile | None = _OpenFile(_THREAD)
        except OSError:
            self._file = None

    def seconds(self) -> float:
        """Since the thread began; 0 where nobody tells."""
        return int(os.pread(self._file.descriptor, 100, 0).split()[1]) * 1e-9 if self._file is not None else 0.0


class _OpenFile:
    """A file that is read as often as somebody likes, and closed when nobody can any more."""

    def __init__(self, path: Path) -> None:
        self.descriptor = os.open(path, os.O_RDONLY)

    def __del__(self) -> None:
        if hasattr(self, "descriptor"):
            os.close(self.descriptor)


def least_disturbed(
    measured: Sequence[_Measured], disturbance: Callable[[_Measured], float], *, epochs: int = 1
) -> list[_Measured]:
    """The half in which others took least; all where nobody can tell them apart, or where they span several epochs.

    The moments of a short epoch differ by themselves, and only all of them together tell what it costs.
    """
    if not measured or epochs > 1:
        return list(measured)
    bound = statistics.median(map(disturbance, measured))
    return [each for each in measured if disturbance(each) <= bound]
