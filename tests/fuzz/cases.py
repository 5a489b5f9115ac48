"""Inputs by kind: made from a seed, examined, and kept as files once they have shown a fault."""

from __future__ import annotations

import hashlib
import random
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import FrameType

from tests.fuzz.comments import commented
from tests.fuzz.configurations import ARGUMENTS, configuration, examine_project
from tests.fuzz.files import in_bytes
from tests.fuzz.growth import grown
from tests.fuzz.invariants import ORDEALS, SETTINGS, examine
from tests.fuzz.mutations import mutated
from tests.fuzz.notebooks import notebook
from tests.fuzz.programs import program

FOUND = Path(__file__).parent / "found"
"""Inputs that broke something once, minimised: each is a test from then on."""
LONGEST = 10.0
"""Seconds of the processor for one input, whatever else the machine does; the slowest take a tenth of that."""


class TooLong(BaseException):
    """An input that takes longer than any should."""


@dataclass(frozen=True)
class Case:
    """A file, and how it is examined."""

    path: str
    data: bytes
    ordeal: str
    setting: str = ""

    def examine(self) -> None:
        """Raise where a promise is broken, something escapes, or it takes too long."""
        with _guard():
            if self.setting:
                examine(self.path, self.data, self.ordeal, self.setting)
            else:
                examine_project(self.path, self.data, self.ordeal)

    def complaint(self) -> str | None:
        """What is wrong, with the kind of it first; None if nothing is."""
        try:
            self.examine()
        except (Exception, TooLong) as error:  # noqa: BLE001 - whatever escapes is what is looked for
            return f"{type(error).__name__}: {error}"
        return None

    def keep(self) -> Path:
        """Write it to where tests look for it."""
        FOUND.mkdir(exist_ok=True)
        path = FOUND / f"{hashlib.sha256(self.data).hexdigest()[:8]}-{self.path}.txt"
        path.write_bytes(self.data)
        return path


def kept() -> dict[str, list[Case]]:
    """What has been found, by the name of its file, each to be examined in every way."""
    found = {}
    for path in sorted(FOUND.glob("*.txt")):
        name = path.name.partition("-")[2].removesuffix(".txt")
        data = path.read_bytes()
        ways = [(ordeal, setting) for ordeal in ORDEALS for setting in SETTINGS]
        if not name.endswith((".py", ".ipynb")):
            ways = [(how, "") for how in ARGUMENTS]
        found[path.name] = [Case(name, data, *way) for way in ways]
    return found


KINDS: dict[str, Callable[[random.Random], tuple[str, bytes]]] = {
    "program": lambda rng: ("train.py", in_bytes(rng, program(rng))),
    "mutation": lambda rng: ("train.py", in_bytes(rng, mutated(rng))),
    "comment": lambda rng: ("train.py", in_bytes(rng, commented(rng))),
    "growth": lambda rng: ("train.py", grown(rng).encode()),
    "notebook": lambda rng: ("train.ipynb", notebook(rng)),
    "configuration": configuration,
}


def make(kind: str, rng: random.Random) -> Case:
    """A random input of a kind, and a random way to examine it."""
    path, data = KINDS[kind](rng)
    if kind == "configuration":
        return Case(path, data, rng.choice(list(ARGUMENTS)))
    ordeal = rng.choice(("safe", "all", "noqa", "safe", "all", "noqa", "shown"))
    return Case(path, data, ordeal, rng.choice(list(SETTINGS)))


@contextmanager
def _guard() -> Iterator[None]:
    """End what takes too long."""

    def stop(number: int, frame: FrameType | None) -> None:
        raise TooLong(f"more than {LONGEST:.0f} s")

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, LONGEST)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
