"""The machine: its processors and its memory, and how much of it a process holds."""

from __future__ import annotations

import os
from pathlib import Path

_CGROUP_LIMITS = ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes")


def cores() -> int:
    """The processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def enough_threads(cores: int) -> int:
    """A number of threads that is enough for work that waits."""
    return max(16, 4 * cores)


def resident_bytes(process: int | str = "self") -> int:
    """The memory that a process holds now; 0 where the system does not tell."""
    try:
        pages = int(Path(f"/proc/{process}/statm").read_text(encoding="ascii").split()[1])
    except (OSError, ValueError, IndexError):
        return 0
    return pages * os.sysconf("SC_PAGE_SIZE")


def machine_bytes() -> int:
    """The memory of the machine, or of the container that this process is confined to."""
    try:
        total = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, ValueError, OSError):
        return 0
    return min([total, *_confined()])


def _confined() -> list[int]:
    limits = []
    for path in _CGROUP_LIMITS:
        try:
            limits.append(int(Path(path).read_text(encoding="ascii")))
        except (OSError, ValueError):
            continue
    return limits
