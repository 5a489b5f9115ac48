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
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import TracebackType
from typing import IO

import pipelint
from pipelint.display.figures import figure, percent, size
from pipelint.display.terminal import one_line
from pipelint.dynamic.measure.measured_run import MeasuredRun
from pipelint.dynamic.measure.processors_and_memory import machine_bytes, resident_bytes
from pipelint.dynamic.process.channel import ChannelError, Door, Job, Message, Progress, TrialTerms
from pipelint.dynamic.process.descendants import no_orphans
from pipelint.dynamic.process.progress_bar import ProgressBar
from pipelint.dynamic.process.target import Target
from pipelint.source.paths import at

WORKER = "pipelint.dynamic.process.worker"
_START = """
import sys
# Python has put the working directory first, where a queue.py may lie.
if not getattr(sys.flags, "safe_path", False):
    del sys.path[0]
loaded = frozenset(sys.modules)
name, home = sys.argv[1:]
if home not in sys.path:
    sys.path.append(home)
import importlib
importlib.import_module(name).main(loaded)
"""
"""Starts the child as `python -m` does, but for the working directory: -P is new in 3.11, and children inherit it."""
_HOME = str(Path(pipelint.__file__).parents[1])
PATIENCE = 60.0
_LOOK_SECONDS = 0.2
_CEILING = 0.9
"""The part of the machine's memory that the child may hold."""
_STDERR = 2


@dataclass(frozen=True)
class Outcome:
    """What came back from the child."""

    run: MeasuredRun
    interrupted: bool = False


def run(target: Target, seconds: float, stderr: IO[str], *, traceback: bool = False) -> Outcome:
    """Run the target in a child process and give what it measured, also where that ended early."""
    _say(
        f"running {target.home} in a child process; what it does before its first pipeline happens, "
        "files and downloads included",
        stderr,
    )
    with ProgressBar(stderr) as bar:
        return run_once(target, seconds, bar.show, bar.tell, traceback=traceback)


def run_once(
    target: Target,
    seconds: float,
    show: Callable[[Progress], None],
    tell: Callable[[str], None] | None = None,
    *,
    traceback: bool = False,
    edited: Mapping[Path, bytes] | None = None,
    trial: TrialTerms | None = None,
    quiet: bool = False,
) -> Outcome:
    """Run the target, with other contents of some files; where it is quiet, nothing that it prints is shown.

    `tell` is told in a line what was measured so far.
    """
    with (
        tempfile.TemporaryDirectory(prefix="pipelint-", ignore_cleanup_errors=True) as scratch,
        no_orphans(),
        _Child(Job(target, seconds, scratch, traceback, _copies(edited or {}, scratch), trial), quiet=quiet) as child,
    ):
        watch = _Watch(child, show, tell, target, seconds)
        try:
            return Outcome(watch.wait())
        except KeyboardInterrupt:
            return Outcome(child.ended_early(f"interrupted while {watch.doing.text}"), interrupted=True)


def _copies(edited: Mapping[Path, bytes], scratch: str) -> dict[str, str]:
    """Where the child finds other contents of files."""
    copies = {}
    for number, (path, content) in enumerate(edited.items()):
        copy = Path(scratch, f"edited-{number}{path.suffix}")
        copy.write_bytes(content)
        copies[str(path)] = str(copy)
    return copies


class _Child:
    """The child process, and the messages that come from it."""

    def __init__(self, job: Job, *, quiet: bool) -> None:
        self._job = job
        self._quiet = quiet
        self._door = Door(job.scratch)
        self.messages: queue.SimpleQueue[Message | None] = queue.SimpleQueue()
        """None behind the last one."""
        self.speaks_nonsense = False
        self.run = MeasuredRun(job.target.text)
        """The last that it sent."""
        self._is_ended = False

    def __enter__(self) -> _Child:
        # What the program and TensorFlow leave in temporary files goes with the rest.
        temporary = os.path.join(self._job.scratch, "tmp")
        os.mkdir(temporary)
        says = subprocess.DEVNULL if self._quiet else _STDERR
        self._process = subprocess.Popen(  # noqa: S603 - pipelint itself, under the same Python
            [sys.executable, "-c", _START, WORKER, _HOME],
            env={**os.environ, **dict.fromkeys(("TMPDIR", "TEMP", "TMP"), temporary), **self._door.environment()},
            stdin=subprocess.DEVNULL,
            # Standard output is for the report.
            stdout=says,
            stderr=says,
            start_new_session=sys.platform != "win32",
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
            status = self._process.wait(patience)
        except subprocess.TimeoutExpired:
            return None
        self.kill()
        return status

    def kill(self) -> None:
        """End it, with the processes that it started."""
        if self._is_ended:
            return
        self._is_ended = True
        with contextlib.suppress(ProcessLookupError, PermissionError):
            if sys.platform != "win32":
                os.killpg(self.pid, signal.SIGKILL)
            else:
                _end_tree(self.pid)
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
        except (EOFError, OSError, ChannelError) as error:
            self.speaks_nonsense = isinstance(error, ChannelError)
            self.messages.put(None)


@dataclass
class _Watch:
    """Waits for the result, and for the reasons not to wait any longer."""

    child: _Child
    show: Callable[[Progress], None]
    tell: Callable[[str], None] | None
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
                    if self._is_silent and self.doing.else_note:
                        self.child.kill()
                        return self.child.run.with_note(f"{self.doing.else_note} ({self.patience:.0f} s)")
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
                self.show(message)
            else:
                self.child.run = message.run
                if self.tell is not None:
                    self.tell(_so_far(message.run))
                if message.complete:
                    return message.run

    def _last_words(self) -> Message | None:
        with contextlib.suppress(queue.Empty):
            return self.child.messages.get(timeout=1)
        return None

    @property
    def _is_silent(self) -> bool:
        return self.doing.measuring and time.monotonic() - self.heard > self.patience

    def _too_much(self) -> str | None:
        if self._is_silent:
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
        if self.child.speaks_nonsense:
            return f"{self.target.home}: the child process spoke nonsense while {self.doing.text}, so it was ended"
        status = self.child.status(patience=5)
        how = f"with status {status}"
        if status is None:
            how = "without a word"
        elif status < 0:
            name = signal.Signals(-status).name
            how = f"by {name}" + (" (out of memory?)" if name == "SIGKILL" else "")
        return f"{self.target.home}: the child process ended {how} while {self.doing.text}"


def _so_far(run: MeasuredRun) -> str:
    """The first figures of what was measured last."""
    known = run.pipelines[-1].measurement if run.pipelines else None
    if known is None or not known.batches_per_second:
        return ""
    stages = run.pipelines[-1].every_stage
    dearest = max(stages, key=lambda stage: stage.share or 0.0)
    most = f"; most of its work is the {dearest.op}{at(dearest.place)} ({percent(dearest.share)})"
    return f"{figure(known.batches_per_second)} batches/s{most if len(stages) > 1 and dearest.share else ''}"


def _end_tree(process: int) -> None:
    """End a process of Windows with its children, which it keeps in no group."""
    program = os.path.join(os.environ.get("SYSTEMROOT", r"C:\Windows"), "System32", "taskkill.exe")
    with contextlib.suppress(OSError):
        subprocess.run([program, "/F", "/T", "/PID", str(process)], capture_output=True, check=False)  # noqa: S603


def _say(text: str, stderr: IO[str]) -> None:
    stderr.write(f"pipelint: {one_line(text)}\n")
    stderr.flush()
