"""One numbering for the texts of many modules: each has lines and offsets that no other has."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from pathlib import Path

from pipelint.source.lines import Lines
from pipelint.source.unit import Unit

BEYOND = 1 << 32
"""Where the modules around a program begin; its own lines and offsets are below, counted from its own beginning."""
_INSTEAD = 1 << 33
"""Where those begin that stand in for files on disk."""


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


class _Stretches:
    """Stretches, each behind the one before."""

    def __init__(self, first: int) -> None:
        self._first = first
        self._stretches: list[Stretch] = []
        self._first_lines: list[int] = []
        self._first_offsets: list[int] = []
        self._by_unit: dict[int, Stretch] = {}

    def add(self, path: Path, unit: Unit) -> Stretch:
        if (known := self._by_unit.get(id(unit))) is not None:
            return known
        line = offset = self._first
        if self._stretches:
            last = self._stretches[-1]
            line, offset = last.first_line + len(last.lines), last.first_offset + len(last.lines.text) + 1
        stretch = self._by_unit[id(unit)] = Stretch(path, unit, line, offset)
        self._stretches.append(stretch)
        self._first_lines.append(line)
        self._first_offsets.append(offset)
        return stretch

    def of_line(self, line: int) -> Stretch:
        return self._stretches[bisect_right(self._first_lines, line) - 1]

    def of_offset(self, offset: int) -> Stretch:
        return self._stretches[bisect_right(self._first_offsets, offset) - 1]


class AddressSpace:
    """The stretches of all modules that were read.

    A module on disk has the same place in all spaces that are made of one, so that its tree is the same in all.
    """

    def __init__(self, other: AddressSpace | None = None) -> None:
        self._on_disk: _Stretches = other._on_disk if other is not None else _Stretches(BEYOND)
        self._instead = _Stretches(_INSTEAD)

    def add(self, path: Path, unit: Unit, *, on_disk: bool) -> Stretch:
        """Give a text its place."""
        return (self._on_disk if on_disk else self._instead).add(path, unit)

    def of_line(self, line: int) -> Stretch:
        """The module that has a line."""
        return (self._on_disk if line < _INSTEAD else self._instead).of_line(line)

    def of_offset(self, offset: int) -> Stretch:
        """The module that has an offset."""
        return (self._on_disk if offset < _INSTEAD else self._instead).of_offset(offset)
