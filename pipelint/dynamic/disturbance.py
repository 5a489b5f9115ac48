"""How much of the machine others take: other programs, and other machines on the same host."""

from __future__ import annotations

import os
import statistics
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

_STAT = Path("/proc/stat")
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


def least_disturbed(measured: Sequence[_Measured], disturbance: Callable[[_Measured], float]) -> list[_Measured]:
    """The half in which others took least; all where nobody can tell them apart."""
    if not measured:
        return []
    bound = statistics.median(map(disturbance, measured))
    return [each for each in measured if disturbance(each) <= bound]
