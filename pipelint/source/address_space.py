"""One numbering for the texts of many modules: each has lines and offsets that no other has."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from pathlib import Path

from pipelint.source.lines import Lines
from pipelint.source.unit import Unit

BEYOND = 1 << 32
"""Where the modules around a program begin; its own lines and offsets are below, counted from its own beginning."""


@dataclass(frozen=True, eq=False)
class Stretch:
    """The lines and offsets of one module's text."""

    path: Path
    unit: Unit
    first_line: int
    first_offset: int

    @property
    def lines(self) -> Lines:
        """The lines of the text."""
        return self.unit.lines


class AddressSpace:
    """The stretches of all modules that were read, each behind the one before."""

    def __init__(self) -> None:
        self._stretches: list[Stretch] = []
        self._first_lines: list[int] = []
        self._first_offsets: list[int] = []

    def add(self, path: Path, unit: Unit) -> Stretch:
        """Give a text its place."""
        line = offset = BEYOND
        if self._stretches:
            last = self._stretches[-1]
            line, offset = last.first_line + len(last.lines), last.first_offset + len(last.lines.text) + 1
        stretch = Stretch(path, unit, line, offset)
        self._stretches.append(stretch)
        self._first_lines.append(line)
        self._first_offsets.append(offset)
        return stretch

    def of_line(self, line: int) -> Stretch:
        """The module that has a line."""
        return self._stretches[bisect_right(self._first_lines, line) - 1]

    def of_offset(self, offset: int) -> Stretch:
        """The module that has an offset."""
        return self._stretches[bisect_right(self._first_offsets, offset) - 1]
