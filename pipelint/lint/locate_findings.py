"""Makes diagnostics of findings: offsets become paths, cells, lines and columns."""

from __future__ import annotations

from functools import cached_property
from itertools import pairwise
from pathlib import Path

from pipelint.lint.apply_rules import DocumentFindings, UnitFinding
from pipelint.lint.diagnostic import Diagnostic, LocatedEdit, LocatedFix, Note, Problem, Span
from pipelint.lint.results import FileText
from pipelint.model.edit import Edit
from pipelint.model.finding import Fix, Related
from pipelint.model.locations import Region
from pipelint.project.projects import Project
from pipelint.project.registry import Registry
from pipelint.source.address_space import BEYOND, Stretch
from pipelint.source.document import Document
from pipelint.source.errors import FileError
from pipelint.source.lines import Lines, Position
from pipelint.source.paths import shown_path
from pipelint.source.unit import Unit


def problem(error: FileError, path: Path | None = None, document: Document | None = None) -> Problem:
    """A file's error as reports give it."""
    shown = shown_path(error.path or path or Path())
    return Problem(shown, error.message, error.line, error.cell, _file_line(error, document), error.passing)


def _file_line(error: FileError, document: Document | None) -> int | None:
    if error.cell is None or document is None:
        return error.line if error.cell is None else None
    lines = Lines(dict(document.parts)[error.cell])
    start = lines.start(min(error.line or 1, len(lines)))
    return Lines(document.text).number(document.region_in_text(error.cell, Region(start, start)).start)


def diagnostics(found: DocumentFindings, project: Project) -> list[Diagnostic]:
    """The findings of a document as reports give them, in order."""
    return sorted(unsorted_diagnostics(found, project), key=lambda diagnostic: diagnostic.order)


def unsorted_diagnostics(found: DocumentFindings, project: Project) -> list[Diagnostic]:
    """The same in the order in which they were found; fixes without edits are left out."""
    locator = _Locator(found, project)
    return [locator.diagnostic(item, project.registry) for item in found.findings]


def texts_elsewhere(found: DocumentFindings, project: Project) -> tuple[FileText, ...]:
    """The other files that findings of a document lead to, or that their fixes change."""
    modules = dict.fromkeys(
        module
        for item in found.findings
        for module in (*(_module_of(note, project) for note in item.finding.related), *item.elsewhere)
    )
    return tuple(FileText(shown_path(module.path), module.unit.parts) for module in modules if module)


def withheld(project: Project, item: UnitFinding) -> str:
    """Why a fix that changes other files is not written, "" where it is."""
    paths = [shown_path(module.path) for module in item.elsewhere if module is not None]
    if len(item.elsewhere) > 1:
        return f"it changes {', '.join(paths)}{' and this file' if None in item.elsewhere else ''} together"
    strange = (module for module in item.elsewhere if module is not None and not project.expects(module.path))
    return next((f"{shown_path(module.path)} is not among the files that are checked" for module in strange), "")


class _Locator:
    def __init__(self, found: DocumentFindings, project: Project) -> None:
        self._project = project
        self._document = found.document
        self._units = found.document.units
        self._path = shown_path(found.document.path)
        self._lines = {cell: Lines(text) for cell, text in found.document.parts}
        self._file = self._lines.get(None) or Lines(found.document.text)
        self._cut: dict[tuple[int | None, int], str] = {}

    def diagnostic(self, item: UnitFinding, registry: Registry) -> Diagnostic:
        finding, unit = item.finding, self._units[item.unit]
        span = self._span(unit, finding.region)
        return Diagnostic(
            code=finding.code,
            name=finding.name,
            severity=finding.severity,
            message=finding.message,
            span=span,
            fix=self._located(unit, finding.fix, item) if finding.fix else None,
            related=tuple(self._note(unit, note) for note in finding.related),
            url=registry[finding.code].url,
            source=self._source(span),
            unfixed=item.unfixed,
        )

    def _located(self, unit: Unit, fix: Fix, item: UnitFinding) -> LocatedFix | None:
        if not item.elsewhere:
            return self._fix(unit, fix, item.edits) if item.edits else None
        edits: list[LocatedEdit] = []
        file_edits: list[LocatedEdit] = []
        for module, changes in item.elsewhere.items():
            if module is not None:
                placed = [LocatedEdit(_span_in(module, edit.region), edit.text) for edit in changes]
                edits += placed
                file_edits += placed
            elif own := self._fix(unit, fix, changes):
                edits += own.edits
                file_edits += own.file_edits
        return LocatedFix(fix.title, fix.safety, tuple(edits), tuple(file_edits), (), withheld(self._project, item))

    def _fix(self, unit: Unit, fix: Fix, edits_of_fix: tuple[Edit, ...]) -> LocatedFix | None:
        """The fix in the coordinates of the file or cells as written, which differ where magics stand in the way."""
        written = unit.in_cells(edits_of_fix)
        if written is None:
            return None
        edits = tuple(LocatedEdit(self._written_span(cell, edit.region), edit.text) for cell, edit in written)
        by_cell: dict[int | None, list[Edit]] = {}
        for cell, edit in written:
            by_cell.setdefault(cell, []).append(edit)
        in_text = sorted(self._document.edits_in_text(by_cell))
        file_edits = tuple(
            LocatedEdit(Span(self._path, *self._file_places(edit.region)), edit.text) for edit in in_text
        )
        first = min(edit.span.start.line for edit in file_edits)
        last = max(edit.span.end.line for edit in file_edits)
        return LocatedFix(fix.title, fix.safety, edits, file_edits, self._whole_lines[first - 1 : last])

    def _span(self, unit: Unit, region: Region) -> Span:
        start, end = unit.place(region.start), unit.place(region.end)
        return Span(self._path, start, end, self._in_file(start, end))

    def _note(self, unit: Unit, note: Related) -> Note:
        module = _module_of(note, self._project)
        if module is None:
            return Note(self._span(unit, note.region), note.message)
        first = module.first_offset
        span = _span_in(module, Region(note.region.start - first, note.region.end - first))
        line = module.lines.number(note.region.start - first)
        return Note(span, note.message, module.lines.text[module.lines.start(line) : module.lines.end(line)])

    def _written_span(self, cell: int | None, region: Region) -> Span:
        start, end = self._place(cell, region.start), self._place(cell, region.end)
        return Span(self._path, start, end, self._in_file(start, end))

    def _place(self, cell: int | None, offset: int) -> Position:
        lines = self._lines[cell]
        line = lines.number(offset)
        return Position(line, offset - lines.start(line) + 1, cell)

    def _in_file(self, start: Position, end: Position) -> tuple[Position, Position] | None:
        """In a notebook, where a stretch of a cell stands in the file; one that reaches beyond it ends with it."""
        if start.cell is None:
            return None
        first = self._offset(start)
        last = self._offset(end) if end.cell == start.cell else len(self._lines[start.cell].text)
        return self._file_places(self._document.region_in_text(start.cell, Region(first, max(first, last))))

    def _offset(self, place: Position) -> int:
        lines = self._lines[place.cell]
        return lines.start(min(place.line, len(lines))) + place.column - 1

    def _file_places(self, region: Region) -> tuple[Position, Position]:
        first, last = self._file.number(region.start), self._file.number(region.end)
        return (
            Position(first, region.start - self._file.start(first) + 1),
            Position(last, region.end - self._file.start(last) + 1),
        )

    @cached_property
    def _whole_lines(self) -> tuple[str, ...]:
        # Cut once, so that the findings of a file share the lines that they keep.
        text = self._file.text
        bounds = pairwise([*self._file.starts, len(text)])
        return tuple(text[start:end] for start, end in bounds)

    def _source(self, span: Span) -> tuple[str, ...]:
        lines = self._lines[span.start.cell]
        # A span that ends where a line begins does not include that line.
        last = span.end.line - (span.end.column == 1 and span.end.line > span.start.line)
        numbers = range(span.start.line, min(last, len(lines)) + 1)
        return tuple(self._line(span.start.cell, number) for number in numbers)

    def _line(self, cell: int | None, number: int) -> str:
        # Cut once, as above: a line may be long, and have many findings.
        if (cell, number) not in self._cut:
            lines = self._lines[cell]
            self._cut[cell, number] = lines.text[lines.start(number) : lines.end(number)]
        return self._cut[cell, number]


def _module_of(note: Related, project: Project) -> Stretch | None:
    """The module that a note leads to, None for the text of the finding itself."""
    return project.space.of_offset(note.region.start) if note.region.start >= BEYOND else None


def _span_in(module: Stretch, region: Region) -> Span:
    start, end = (module.unit.place(offset) for offset in (region.start, region.end))
    return Span(shown_path(module.path), start, end)
