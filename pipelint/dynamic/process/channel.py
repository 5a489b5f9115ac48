"""The private line between the process that a user started and the one that runs their program.

What goes over it is JSON: neither side makes objects of what the other one, in which the user's program runs, sends.
"""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import sys
from collections.abc import Mapping, MutableMapping
from dataclasses import dataclass, field
from multiprocessing import AuthenticationError
from multiprocessing.connection import Client, Connection, Listener
from pathlib import Path
from typing import Any

from pipelint.dynamic.measure.measured_run import MeasuredRun
from pipelint.dynamic.process.target import Target

VARIABLE = "PIPELINT_CHANNEL"
LARGEST_MESSAGE = 64 << 20
"""In bytes; a pipeline of a thousand stages takes one."""


@dataclass(frozen=True)
class TrialTerms:
    """What a run that is one of many, of the program as it is or with a change, has to find out besides its speed."""

    reads_data: bool = False
    """Whether the elements are read, to be compared with those of another run."""
    epoch_batches: int | None = None
    """How many batches fill the caches, where that is known."""
    workers: int = 0
    """How many workers of a tf.data service are tried, up to this number one after the other."""


@dataclass(frozen=True)
class Job:
    """What the child is to do."""

    target: Target
    seconds: float
    scratch: str
    """A directory for what the pipelines write, which the parent removes."""
    traceback: bool = False
    """Whether errors of the program are shown in full besides."""
    edited: Mapping[str, str] = field(default_factory=dict)
    """Copies that stand in for files of the program, by the paths of these."""
    trial: TrialTerms | None = None
    """What to find out where only the speed of the whole is asked for."""


@dataclass(frozen=True)
class Progress:
    """What the child is at."""

    text: str
    fraction: float
    measuring: bool
    """Whether pipelint is at work, rather than the user's program."""
    else_note: str = ""
    """What to say of it where it takes too long, if what was measured before stands without it."""


@dataclass(frozen=True)
class Result:
    """What has been measured so far."""

    run: MeasuredRun
    complete: bool


Message = Progress | Result


class ChannelError(Exception):
    """What came over the line is not what pipelint sends; the program that runs there may have found its end."""


class ChannelEnd:
    """One end of the line."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def give(self, job: Job) -> None:
        """Tell the child what to do."""
        target = {**vars(job.target), "script": str(job.target.script) if job.target.script else None}
        trial = vars(job.trial) if job.trial is not None else None
        self._send({**vars(job), "target": target, "edited": dict(job.edited), "trial": trial})

    def take(self) -> Job:
        """What the parent wants."""
        data = self._receive()
        target = data["target"]
        script = Path(target["script"]) if target["script"] else None
        arguments = tuple(target["arguments"])
        trial = TrialTerms(**data["trial"]) if data["trial"] is not None else None
        target = Target(**{**target, "script": script, "arguments": arguments})
        return Job(**{**data, "target": target, "trial": trial})

    def tell(self, message: Message) -> None:
        """Tell the parent how far it is, or what has been measured."""
        if isinstance(message, Progress):
            self._send({"progress": vars(message)})
        else:
            self._send({"run": message.run.to_plain(), "complete": message.complete})

    def hear(self) -> Message:
        """What the child tells next; EOFError where it is gone, ChannelError where it is none of our messages."""
        data = self._receive()
        try:
            if "progress" in data:
                progress = data["progress"]
                said = str(progress["text"]), float(progress["fraction"]), bool(progress["measuring"])
                return Progress(*said, else_note=str(progress["else_note"]))
            return Result(MeasuredRun.from_plain(data["run"]), data["complete"])
        except (ValueError, KeyError, TypeError, IndexError, AttributeError, RecursionError) as error:
            raise ChannelError("not a message") from error

    def wait_for_end(self) -> None:
        """Return when the other side has gone."""
        try:
            self._connection.recv_bytes()
        except (EOFError, OSError):
            return

    def _send(self, data: dict[str, Any]) -> None:
        self._connection.send_bytes(json.dumps(data).encode("ascii"))

    def _receive(self) -> dict[str, Any]:
        try:
            data = json.loads(self._connection.recv_bytes(LARGEST_MESSAGE))
        except (ValueError, RecursionError) as error:
            raise ChannelError("not a message") from error
        if not isinstance(data, dict):
            raise ChannelError("not a message")
        return data


class Door:
    """The parent's end, before a child has come."""

    def __init__(self, scratch: str) -> None:
        self._key = secrets.token_bytes(32)
        # In a directory that is removed in any case; Windows has names for it that are no files.
        address = None if sys.platform == "win32" else os.path.join(scratch, "line")
        self._listener = Listener(address, authkey=self._key)

    def environment(self) -> dict[str, str]:
        """What a child needs in its environment to find the way."""
        return {VARIABLE: json.dumps([self._listener.address, self._key.hex()])}

    def admit(self) -> ChannelEnd:
        """Wait for the child; others do not have the key."""
        while True:
            with contextlib.suppress(AuthenticationError):
                return ChannelEnd(self._listener.accept())

    def close(self) -> None:
        """Let nobody else in."""
        self._listener.close()


def join(environment: MutableMapping[str, str] = os.environ) -> ChannelEnd:
    """The child's end; the program that it runs finds no trace of it in the environment."""
    address, key = json.loads(environment.pop(VARIABLE))
    return ChannelEnd(Client(address if isinstance(address, str) else tuple(address), authkey=bytes.fromhex(key)))
