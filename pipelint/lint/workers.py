"""Work in other processes: each has one item at a time, the next one as soon as it is done, and may die of it."""

from __future__ import annotations

import gc
import multiprocessing
import os
import signal
import sys
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Any, Generic, TypeVar, cast

_Item = TypeVar("_Item")
_Answer = TypeVar("_Answer")

SHARES_MEMORY = sys.platform == "linux"
"""Whether a process begins with all that its parent knows. Elsewhere that is missing, or goes wrong in the libraries of
the system, and each begins anew."""
_BYTES_OF_A_WORKER = 1_000_000
"""How much source pays for the start of a process: it takes about a second to check."""


def usual_jobs(size: int) -> int:
    """How many processes are worth while for source of that many bytes."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, min(cores, size // _BYTES_OF_A_WORKER))


@dataclass(frozen=True)
class Death:
    """What became of a process instead of an answer."""

    reason: str


def in_workers(
    prepare: Callable[[], Callable[[_Item], _Answer]], items: Sequence[_Item], jobs: int, *, fork: bool = SHARES_MEMORY
) -> Generator[tuple[int, _Answer | Death], None, None]:
    """The index and the answer of each item, as they come; the items are begun in their order.

    Each process calls `prepare` once, for what then answers. Without `fork`, that and all items go through pickle.
    """
    crew = _Crew(prepare, items, fork)
    gc.freeze()  # what is known so far stays one copy in memory as long as no collector marks it
    try:
        yield from crew.answers(jobs)
    finally:
        crew.dismiss()
        gc.unfreeze()


class _Crew(Generic[_Item, _Answer]):
    def __init__(self, prepare: Callable[[], Callable[[_Item], _Answer]], items: Sequence[_Item], fork: bool) -> None:
        self._prepare = prepare
        self._items = items
        self._fork = fork
        self._context: Any = multiprocessing.get_context("fork" if fork else "spawn")
        self._processes: dict[Connection, BaseProcess] = {}
        self._busy: dict[Connection, int] = {}

    def answers(self, jobs: int) -> Iterator[tuple[int, _Answer | Death]]:
        pending = iter(range(len(self._items)))
        for _ in range(min(jobs, len(self._items))):
            self._give(self._hired(), pending)
        while self._busy:
            for channel in cast("list[Connection]", wait(list(self._busy))):
                index = self._busy.pop(channel)
                try:
                    answer: _Answer | Death = channel.recv()
                except (EOFError, OSError):
                    answer = Death(self._end_of(channel))
                    self._give(self._hired(), pending)
                else:
                    self._give(channel, pending)
                yield index, answer

    def _hired(self) -> Connection:
        for stream in (sys.stdout, sys.stderr):
            stream.flush()  # what is in the buffers would be written by both
        ours, theirs = self._context.Pipe()
        process = self._context.Process(target=_serve, args=(theirs, os.getcwd(), self._prepare), daemon=True)
        with _uninterrupted() if self._fork else _in_safe_directory():
            process.start()
            self._processes[ours] = process
        theirs.close()
        return ours  # type: ignore[no-any-return]

    def _give(self, channel: Connection, pending: Iterator[int]) -> None:
        for index in pending:
            self._busy[channel] = index
            with suppress(OSError):  # it has died, which is found out when its answer is awaited
                channel.send(self._items[index])
            return

    def _end_of(self, channel: Connection) -> str:
        process = self._processes.pop(channel)
        channel.close()
        process.join()
        code = process.exitcode or 0
        return f"was ended by signal {-code}" if code < 0 else f"ended with status {code}"

    def dismiss(self) -> None:
        for channel, process in self._processes.items():
            channel.close()
            process.terminate()
        for process in self._processes.values():
            process.join()


def _serve(channel: Connection, directory: str, prepare: Callable[[], Callable[[Any], Any]]) -> None:
    os.chdir(directory)
    # The parent is told too, and ends its children.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    answer = prepare()
    while True:
        try:
            item = channel.recv()
        except (EOFError, OSError):  # nobody asks any more
            return
        result = answer(item)
        try:
            channel.send(result)
        except OSError:  # or waits
            return


@contextmanager
def _uninterrupted() -> Iterator[None]:
    """Let an interruption wait until a process that begins is known, and would be ended with the others."""
    usual = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, usual)


@contextmanager
def _in_safe_directory() -> Iterator[None]:
    """A new Python looks for its first modules where it is started."""
    here = os.getcwd()
    os.chdir(os.path.dirname(os.__file__))
    try:
        yield
    finally:
        os.chdir(here)
