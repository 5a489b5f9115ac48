"""How much work one program may be to follow."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

MOST_WORK = 1_000_000
"""How many steps one program may take: expressions that are evaluated, and the parts of what they give. Of three large
public repositories the most that a file took is 623,512, and the next 78,065."""
MOST_IMPORTERS = 12
"""How many modules that import a program are followed for what they do with it: more show the same uses again."""
WORK_OF_A_MODULE = 100_000
"""How many steps each module adds where several are followed as one program."""


class OutOfWork(Exception):  # noqa: N818 - it says what happened
    """A program takes more steps to follow than one that was written by hand ever does."""


class Patience:
    """Whether somebody still waits for what a program is followed for; another thread may end it."""

    over = False


class _Waiting:
    """For whom programs are followed now; one thread of a process follows them."""

    patience = Patience()


@contextmanager
def as_long_as(patience: Patience) -> Iterator[None]:
    """Follow programs only until a patience is over: what is followed then is given up."""
    before, _Waiting.patience = _Waiting.patience, patience
    try:
        yield
    finally:
        _Waiting.patience = before


@dataclass
class Work:
    """The steps that are left; counted, not timed, so that a program gives the same on every machine."""

    left: int = MOST_WORK

    def spend(self, steps: int) -> None:
        """Count steps that were taken; raises OutOfWork, also where nobody waits any longer."""
        self.left -= steps
        if self.left < 0 or _Waiting.patience.over:
            raise OutOfWork
