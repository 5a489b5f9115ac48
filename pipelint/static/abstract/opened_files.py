"""Files as values of the program."""

from __future__ import annotations

from dataclasses import dataclass

from pipelint.model.values import Value


@dataclass(frozen=True)
class OpenFile(Value):
    """A file that the program has opened, by the path that it writes."""

    path: str
