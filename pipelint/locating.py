"""Turns offsets into paths, cells, lines and columns."""

from __future__ import annotations

from pathlib import Path

from pipelint.examination import Examination, Located
from pipelint.model.finding import Fix, Region
from pipelint.registry import Registry
from pipelint.results import Diagnostic, LocatedEdit, LocatedFix, Note, Problem, Span
from pipelint.source.document import FileError, Place, Unit
from pipelint.source.paths import absolute, relative
from pipelint.source.text import Lines


def shown_path(path: Path) -> str:
    """The path as reports give it: relative to the working directory, or absolute outside of it."""
    return relative(path, Path.cwd()) or absolute(path).as_posix()


def problem(error: FileError, path: Path | None = None) -> Problem:
    """A file's error as reports give it."""
    return Problem(shown_path(error.path or path or Path()), error.message, error.line, error.cell)


def diagnostics(examination: Examination, registry: Registry) -> list[Diagnostic]:
    """The findings of a document as reports give them, in order."""
    locator = _Locator(examination)
    return sorted((locator.diagnostic(located, registry) for located in examination.findings), key=lambda d: d.order)


class _Locator:
    def __init__(self, examination: Examination) -> None:
        self._units = examination.document.units
        self._path = shown_path(examination.document.path)
        self._lines = {cell: Lines(text) for cell, text in examination.document.parts}

    def diagnostic(self, located: Located, registry: Registry) -> Diagnostic:
        finding, unit = located.finding, self._units[located.unit]
        span = self._span(unit, finding.region)
        return Diagnostic(
            code=finding.code,
            name=finding.name,
            severity=finding.severity,
            message=finding.message,
            span=span,
            fix=self._fix(unit, finding.fix),
            related=tuple(Note(self._span(unit, note.region), note.message) for note in finding.related),
            url=registry[finding.code].url,
            source=self._source(span),
        )

    def _fix(self, unit: Unit, fix: Fix | None) -> LocatedFix | None:
        """The fix in the coordinates of the file or cells as written, which differ where magics stand in the way."""
        written = unit.in_cells(fix.edits) if fix else None
        if fix is None or written is None:
            return None
        edits = tuple(LocatedEdit(self._written_span(cell, edit.region), edit.text) for cell, edit in written)
        return LocatedFix(fix.title, fix.safety, edits)

    def _span(self, unit: Unit, region: Region) -> Span:
        return Span(self._path, unit.place(region.start), unit.place(region.end))

    def _written_span(self, cell: int | None, region: Region) -> Span:
        return Span(self._path, self._place(cell, region.start), self._place(cell, region.end))

    def _place(self, cell: int | None, offset: int) -> Place:
        lines = self._lines[cell]
        line = lines.number(offset)
        return Place(line, offset - lines.start(line) + 1, cell)

    def _source(self, span: Span) -> tuple[str, ...]:
        lines = self._lines[span.start.cell]
        # A span that ends where a line begins does not include that line.
        last = span.end.line - (span.end.column == 1 and span.end.line > span.start.line)
        numbers = range(span.start.line, min(last, len(lines)) + 1)
        return tuple(lines.text[lines.start(number) : lines.end(number)] for number in numbers)
