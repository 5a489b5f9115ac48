"""Ends what a program leaves running: also processes that have left its group, which Linux then hands to pipelint."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_SET_SUBREAPER, _GET_SUBREAPER = 36, 37
_MOST_ROUNDS, _PAUSE_SECONDS = 100, 0.02
"""A process that will not end is left after two seconds."""


@contextmanager
def no_orphans() -> Iterator[None]:
    """End, behind the block, what is left of the processes that were started in it; on Linux alone."""
    if sys.platform != "linux":
        yield
        return
    before = frozenset(_children())
    was_heir = _is_heir()
    _be_heir(True)
    try:
        yield
    finally:
        for _ in range(_MOST_ROUNDS):
            if not (left := frozenset(_children()) - before):
                break
            for process in left:
                with contextlib.suppress(ProcessLookupError, PermissionError, ChildProcessError):
                    os.kill(process, signal.SIGKILL)
                    os.waitpid(process, os.WNOHANG)
            # Its own children come to us only when it is gone.
            time.sleep(_PAUSE_SECONDS)
        _be_heir(was_heir)


def _children() -> Iterator[int]:
    """The processes whose parent this one is, or has become."""
    own = str(os.getpid())
    for file in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            # The name, which may hold anything, ends at the last bracket; state and parent follow.
            if file.read_text("utf-8", "replace").rpartition(")")[2].split()[1] == own:
                yield int(file.parent.name)


def _is_heir() -> bool:
    import ctypes  # only for those who measure

    answer = ctypes.c_int(0)
    _prctl(_GET_SUBREAPER, ctypes.byref(answer))
    return bool(answer.value)


def _be_heir(wanted: bool) -> None:
    """Whether processes whose parent has gone become children of this one, instead of the system's first."""
    _prctl(_SET_SUBREAPER, int(wanted))


def _prctl(option: int, argument: object) -> None:
    import ctypes  # as above

    # Without it, in a sandbox, orphans are left alone.
    with contextlib.suppress(AttributeError, OSError):
        ctypes.CDLL(None).prctl(option, argument, 0, 0, 0)
