"""A finding, or a problem with a file, as it is reported: with paths, cells, lines and columns."""

from __future__ import annotations

from dataclasses import dataclass

from pipelint.model.grades import Safety, Severity
from pipelint.source.lines import Position


@dataclass(frozen=True)
class Span:
    """A stretch of one file, or of one cell of a notebook; the end is exclusive."""

    path: str
    start: Position
    end: Position
    in_file: tuple[Position, Position] | None = None
    """In a notebook, where that stands in the lines of the .ipynb file."""

    @property
    def file_start(self) -> Position:
        """The start, counted in the lines of the file itself."""
        return self.in_file[0] if self.in_file else self.start

    @property
    def file_end(self) -> Position:
        """The end, counted in the lines of the file itself."""
        return self.in_file[1] if self.in_file else self.end

    def __str__(self) -> str:
        return f"{shown_position(self.path, self.start.cell, self.start.line)}:{self.start.column}"


@dataclass(frozen=True)
class LocatedEdit:
    """Replaces the span by the text."""

    span: Span
    text: str


@dataclass(frozen=True)
class LocatedFix:
    """A repair that the source can take."""

    title: str
    safety: Safety
    edits: tuple[LocatedEdit, ...]
    file_edits: tuple[LocatedEdit, ...]
    """The same in the lines of the file itself: in a notebook they change its JSON."""
    file_lines: tuple[str, ...]
    """The lines of the file from the first to the last of these edits, whole, with their line ends; none where they
    change other files."""
    withheld: str = ""
    """Why `--fix` does not write it, in words that follow a colon."""

    @property
    def paths(self) -> tuple[str, ...]:
        """The files that it changes."""
        return tuple(dict.fromkeys(edit.span.path for edit in self.edits))


@dataclass(frozen=True)
class Note:
    """Another place that explains a finding."""

    span: Span
    message: str
    source: str = ""
    """The line in which the span begins, where that is in another file than the finding."""


@dataclass(frozen=True)
class Diagnostic:
    """A finding as it is reported."""

    code: str
    name: str
    severity: Severity
    message: str
    span: Span
    fix: LocatedFix | None
    related: tuple[Note, ...]
    url: str | None
    source: tuple[str, ...]
    """The lines of the span, whole, without their line ends."""
    unfixed: str = ""
    """Why a fix that the rule has in mind cannot be applied here."""

    @property
    def fixed_elsewhere(self) -> tuple[str, ...]:
        """The other files that its fix changes."""
        return tuple(path for path in self.fix.paths if path != self.span.path) if self.fix else ()

    @property
    def order(self) -> tuple[str, int, int, int, str]:
        """Reports sort by path, cell, line, column and code."""
        start = self.span.start
        return (self.span.path, start.cell or 0, start.line, start.column, self.code)


@dataclass(frozen=True)
class Problem:
    """Why a file, or a cell of a notebook, could not be checked."""

    path: str
    message: str
    line: int | None = None
    cell: int | None = None
    file_line: int | None = None
    """The line counted in the file itself, also in a notebook."""
    passing: bool = False
    """Whether another run on the same content may not meet it."""

    def __str__(self) -> str:
        return f"{shown_position(self.path, self.cell, self.line)}: {self.message}"

    @property
    def order(self) -> tuple[str, int, int]:
        """Problems sort as findings do."""
        return (self.path, self.cell or 0, self.line or 0)


def shown_position(path: str, cell: int | None, line: int | None) -> str:
    """`train.py:12`, or `train.ipynb:cell 3:12` in a notebook."""
    parts = [path]
    if cell is not None:
        parts.append(f"cell {cell}")
    if line is not None:
        parts.append(str(line))
    return ":".join(parts)
