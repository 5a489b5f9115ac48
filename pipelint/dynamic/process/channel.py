"""The private line between the process that a user started and the one that runs their program."""

from __future__ import annotations

import json
import os
import secrets
from collections.abc import MutableMapping
from dataclasses import dataclass
from multiprocessing.connection import Client, Connection, Listener

from pipelint.dynamic.process.target import Target
from pipelint.dynamic.recording import Recording

VARIABLE = "PIPELINT_CHANNEL"


@dataclass(frozen=True)
class Job:
    """What the child is to do."""

    target: Target
    seconds: float
    scratch: str
    """A directory for what the pipelines write, which the parent removes."""


@dataclass(frozen=True)
class Progress:
    """What the child is at."""

    text: str
    fraction: float
    measuring: bool
    """Whether pipelint is at work, rather than the user's program."""


@dataclass(frozen=True)
class Result:
    """What has been measured so far."""

    recording: Recording
    complete: bool


Message = Progress | Result


class Door:
    """The parent's end, before a child has come."""

    def __init__(self) -> None:
        self._key = secrets.token_bytes(32)
        self._listener = Listener(authkey=self._key)

    def environment(self) -> dict[str, str]:
        """What a child needs in its environment to find the way."""
        return {VARIABLE: json.dumps([self._listener.address, self._key.hex()])}

    def admit(self) -> Connection:
        """Wait for the child."""
        return self._listener.accept()

    def close(self) -> None:
        """Let nobody else in."""
        self._listener.close()


def join(environment: MutableMapping[str, str] = os.environ) -> Connection:
    """The child's end; the program that it runs finds no trace of it in the environment."""
    address, key = json.loads(environment.pop(VARIABLE))
    return Client(address if isinstance(address, str) else tuple(address), authkey=bytes.fromhex(key))
