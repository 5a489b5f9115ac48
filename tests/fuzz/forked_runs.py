"""Runs of pipelint in forked children, which start at once since everything is imported: with accidents on their way."""

from __future__ import annotations

import io
import os
import random
import resource
import signal
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pipelint.cli.command_line import command_line

WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT
Accident = Callable[[Path], None]
"""What is prepared in a child before pipelint runs in it, for the directory that it runs over."""


@dataclass(frozen=True)
class Ended:
    """How a run ended: its exit status, -9 where it was killed, and what it said on stderr."""

    status: int
    stderr: str


class ForkedRun:
    """One run of pipelint over a directory, under way."""

    def __init__(self, root: Path, arguments: Sequence[str], accident: Accident | None = None) -> None:
        self._reader, writer = os.pipe()
        self.process = os.fork()
        if self.process == 0:
            os.close(self._reader)
            _child(root, arguments, accident, writer)
        os.close(writer)

    def kill(self, after: float) -> None:
        """Kill it, if it still runs by then."""
        time.sleep(after)
        os.kill(self.process, signal.SIGKILL)

    def wait(self) -> Ended:
        """Its end."""
        with os.fdopen(self._reader, "rb") as told:
            text = told.read().decode("utf-8", "replace")
        _, status = os.waitpid(self.process, 0)
        return Ended(os.waitstatus_to_exitcode(status), text)


def run(root: Path, arguments: Sequence[str], accident: Accident | None = None) -> Ended:
    """A run from its beginning to its end."""
    return ForkedRun(root, arguments, accident).wait()


def _child(root: Path, arguments: Sequence[str], accident: Accident | None, told: int) -> None:
    """All that a child does; it never comes back."""
    status = 70
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        os.dup2(told, 2)
        # The parent's own may be captured by a test.
        sys.stdout = io.TextIOWrapper(io.FileIO(1, "w", closefd=False), "utf-8", write_through=True)
        sys.stderr = io.TextIOWrapper(io.FileIO(2, "w", closefd=False), "utf-8", write_through=True)
        if accident:
            accident(root)
        command_line([*arguments, str(root)], prog_name="pipelint")
    except SystemExit as end:
        status = end.code if isinstance(end.code, int) else 0
    finally:
        os._exit(status)


def killed_at(moment: int) -> Accident:
    """Dies at the n-th step of writing: before or after a call of the system, once a file below the root is opened for it."""

    def prepare(root: Path) -> None:
        steps = 0

        def step(frame: object, event: str, function: Any) -> None:
            nonlocal steps
            owner = getattr(function, "__module__", None) or type(getattr(function, "__self__", None)).__module__
            if event in ("c_call", "c_return") and owner in ("posix", "_io"):
                steps += 1
                if steps > moment:
                    os.kill(os.getpid(), signal.SIGKILL)

        _when_writing(root, lambda: sys.setprofile(step))

    return prepare


def with_file_changed(name: str, content: bytes) -> Accident:
    """Someone else saves a file while pipelint is about to write it."""

    def prepare(root: Path) -> None:
        def save() -> None:
            beside = root / f"{name}.saved"
            beside.write_bytes(content)
            beside.rename(root / name)

        _when_writing(root, save, name)

    return prepare


def with_full_disk(size: int) -> Accident:
    """No file can grow beyond a size, which is how a disk without room looks to a program."""

    def prepare(root: Path) -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))

    return prepare


def _when_writing(root: Path, happens: Callable[[], None], name: str = "") -> None:
    """Let something happen once, when a file below the root, or that of this name, is first opened to be written."""
    waiting = True

    def watch(event: str, arguments: tuple[Any, ...]) -> None:
        nonlocal waiting
        if not waiting or event != "open":
            return
        path, _, flags = arguments
        if isinstance(flags, int) and flags & WRITING and str(path).startswith(str(root)) and name in str(path):
            waiting = False
            happens()

    sys.addaudithook(watch)


def random_moment(rng: random.Random) -> int:
    """Few steps are enough to write one file; some kills come with a later file."""
    return rng.choice((rng.randrange(30), rng.randrange(120)))
