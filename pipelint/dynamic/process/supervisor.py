"""The parent of a measuring run: starts the child, shows how far it is, and ends it when it must."""

from __future__ import annotations

import contextlib
import os
import queue
import signal
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass, field, replace
from types import TracebackType
from typing import IO

from pipelint.display.figures import size
from pipelint.display.terminal import one_line
from pipelint.dynamic.measure.measured_run import MeasuredRun
from pipelint.dynamic.measure.processors_and_memory import machine_bytes, resident_bytes
from pipelint.dynamic.process.channel import Door, Job, Message, Progress
from pipelint.dynamic.process.progress_bar import ProgressBar
from pipelint.dynamic.process.target import Target

WORKER = "pipelint.dynamic.process.worker"
PATIENCE = 60.0
_LOOK_SECONDS = 0.2
_CEILING = 0.9
"""The part of the machine's memory that the child may hold."""
_STDERR = 2
_SEPARATE = sys.platform != "win32"


@dataclass(frozen=True)
class Outcome:
    """What came back from the child."""

    run: MeasuredRun
    interrupted: bool = False


def run(target: Target, seconds: float, stderr: IO[str]) -> Outcome:
    """Run the target in a child process and give what it measured, also where that ended early."""
    _say(
        f"running {target.home} in a child process; what it does before its first pipeline happens, "
        "files and downloads included",
        stderr,
    )
    with (
        tempfile.TemporaryDirectory(prefix="pipelint-", ignore_cleanup_errors=True) as scratch,
        _Child(Job(target, seconds, scratch)) as child,
        ProgressBar(stderr) as bar,
    ):
        watch = _Watch(child, bar, target, seconds)
        try:
            return Outcome(watch.wait())
        except KeyboardInterrupt:
            return Outcome(child.ended_early(f"interrupted while {watch.doing.text}"), interrupted=True)


class _Child:
    """The child process, and the messages that come from it."""

    def __init__(self, job: Job) -> None:
        self._job = job
        self._door = Door()
        self.messages: queue.SimpleQueue[Message | None] = queue.SimpleQueue()
        """None behind the last one."""
        self.run = MeasuredRun(job.target.text)
        """The last that it sent."""

    def __enter__(self) -> _Child:
        self._process = subprocess.Popen(  # noqa: S603 - pipelint itself, under the same Python
            [sys.executable, "-m", WORKER],
            env={**os.environ, **self._door.environment()},
            stdin=subprocess.DEVNULL,
            # Standard output is for the report.
            stdout=_STDERR,
            stderr=_STDERR,
            start_new_session=_SEPARATE,
        )
        threading.Thread(target=self._listen, daemon=True).start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.kill()
        self._door.close()

    @property
    def pid(self) -> int:
        """Its number."""
        return self._process.pid

    def status(self, patience: float = 0.0) -> int | None:
        """How it ended, None while it runs."""
        try:
            return self._process.wait(patience)
        except subprocess.TimeoutExpired:
            return None

    def kill(self) -> None:
        """End it, with the processes that it started."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            if _SEPARATE:
                os.killpg(self.pid, signal.SIGKILL)
            else:
                self._process.kill()
        self._process.wait()

    def ended_early(self, line: str) -> MeasuredRun:
        """What it had measured, with why there is no more."""
        return replace(self.run, error=line)

    def _listen(self) -> None:
        try:
            line = self._door.admit()
            line.give(self._job)
            while True:
                self.messages.put(line.hear())
        except (EOFError, OSError):
            self.messages.put(None)


@dataclass
class _Watch:
    """Waits for the result, and for the reasons not to wait any longer."""

    child: _Child
    bar: ProgressBar
    target: Target
    seconds: float
    doing: Progress = field(init=False)
    heard: float = field(default_factory=time.monotonic)
    ceiling: float = field(default_factory=lambda: _CEILING * machine_bytes())

    def __post_init__(self) -> None:
        self.doing = Progress(f"starting TensorFlow for {self.target.home}", 0.0, measuring=False)

    @property
    def patience(self) -> float:
        """How long a child that measures may say nothing."""
        return PATIENCE + 5 * self.seconds

    def wait(self) -> MeasuredRun:
        """The result, or what there was of it when the child had to be ended or ended by itself."""
        while True:
            try:
                message = self.child.messages.get(timeout=_LOOK_SECONDS)
            except queue.Empty:
                if self.child.status() is None:
                    if reason := self._too_much():
                        self.child.kill()
                        return self.child.ended_early(reason)
                    continue
                # What it said last may still be on its way.
                message = self._last_words()
            if message is None:
                return self.child.ended_early(self._death())
            self.heard = time.monotonic()
            if isinstance(message, Progress):
                self.doing = message
                self.bar.show(message)
            else:
                self.child.run = message.run
                if message.complete:
                    return message.run

    def _last_words(self) -> Message | None:
        with contextlib.suppress(queue.Empty):
            return self.child.messages.get(timeout=1)
        return None

    def _too_much(self) -> str | None:
        if self.doing.measuring and time.monotonic() - self.heard > self.patience:
            return (
                f"{self.target.home}: nothing came for {self.patience:.0f} s while {self.doing.text}, so it was ended; "
                "a larger --seconds waits longer"
            )
        held = resident_bytes(self.child.pid)
        if 0 < self.ceiling < held:
            return (
                f"{self.target.home}: it held {size(held)} of the machine's {size(self.ceiling / _CEILING)} while "
                f"{self.doing.text}, so it was ended; look at shuffle buffers and caches"
            )
        return None

    def _death(self) -> str:
        status = self.child.status(patience=5)
        how = f"with status {status}"
        if status is None:
            how = "without a word"
        elif status < 0:
            name = signal.Signals(-status).name
            how = f"by {name}" + (" (out of memory?)" if name == "SIGKILL" else "")
        return f"{self.target.home}: the child process ended {how} while {self.doing.text}"


def _say(text: str, stderr: IO[str]) -> None:
    stderr.write(f"pipelint: {one_line(text)}\n")
    stderr.flush()
