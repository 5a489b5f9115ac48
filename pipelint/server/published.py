"""Findings as the diagnostics of the protocol, each with the text that it stands in."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from lsprotocol import types as lsp
from pygls.uris import from_fs_path
from pygls.workspace import PositionCodec

from pipelint.lint.diagnostic import Diagnostic, Note, Problem
from pipelint.model.grades import Severity
from pipelint.server.client_ranges import Ruler
from pipelint.server.open_files import EditedFile, OpenPart
from pipelint.server.session import Examined
from pipelint.source.lines import Position
from pipelint.source.paths import absolute

SOURCE = "pipelint"
_SEVERITIES = {
    Severity.ERROR: lsp.DiagnosticSeverity.Error,
    Severity.WARNING: lsp.DiagnosticSeverity.Warning,
    # A hint is not listed among the problems of an editor; advice is to be read once.
    Severity.ADVICE: lsp.DiagnosticSeverity.Information,
}

FindOpen = Callable[[Path], EditedFile | None]
"""The open file at a path, if there is one."""


class Published:
    """Makes diagnostics of what was found in one file."""

    def __init__(self, examined: Examined, codec: PositionCodec, find_open: FindOpen) -> None:
        self._file = examined.file
        self._examination = examined.examination
        self._codec = codec
        self._find_open = find_open

    def by_part(self) -> dict[OpenPart, list[lsp.Diagnostic]]:
        """The diagnostics of each text of the file, also of those that have none."""
        found: dict[OpenPart, list[lsp.Diagnostic]] = {part: [] for part in self._file.parts.values()}
        for index, diagnostic in enumerate(self._examination.diagnostics):
            if (part := self._file.part(diagnostic.span.start.cell)) is not None:
                found[part].append(self._diagnostic(index, diagnostic, part))
        for problem in self._examination.problems:
            if (part := self._problem_part(problem)) is not None:
                found[part].append(self._problem(problem, part))
        return {part: sorted(several, key=lambda one: one.range.start) for part, several in found.items()}

    def _ruler(self, part: OpenPart) -> Ruler:
        return Ruler(part.lines, self._codec)

    def _diagnostic(self, index: int, diagnostic: Diagnostic, part: OpenPart) -> lsp.Diagnostic:
        related = [found for note in diagnostic.related if (found := self._related(note)) is not None]
        return lsp.Diagnostic(
            range=self._ruler(part).span(diagnostic.span, in_file=None in self._file.parts),
            message=diagnostic.message,
            severity=_SEVERITIES[diagnostic.severity],
            code=diagnostic.code,
            code_description=lsp.CodeDescription(diagnostic.url) if diagnostic.url else None,
            source=SOURCE,
            related_information=related or None,
            data={"finding": index, "name": diagnostic.name},
        )

    def _related(self, note: Note) -> lsp.DiagnosticRelatedInformation | None:
        path, span = absolute(Path(note.span.path)), note.span
        file = self._file if path == self._file.path else self._find_open(path)
        if file is not None:
            part = file.part(span.start.cell)
            if part is None:
                return None
            location = lsp.Location(part.uri, self._ruler(part).span(span, in_file=None in file.parts))
            return lsp.DiagnosticRelatedInformation(location, note.message)
        uri = from_fs_path(str(path))
        # Of a file that is not open only the line of the place is at hand, and an end in another one is left out.
        start = Ruler([note.source], self._codec).position(Position(1, span.start.column)).character
        end = span.end.column if span.end.line == span.start.line else len(note.source) + 1
        last = Ruler([note.source], self._codec).position(Position(1, end)).character
        line = span.start.line - 1
        place = lsp.Range(lsp.Position(line, start), lsp.Position(line, last))
        return lsp.DiagnosticRelatedInformation(lsp.Location(uri, place), note.message) if uri else None

    def _problem_part(self, problem: Problem) -> OpenPart | None:
        """The text that a problem is told in; one of another file, such as a configuration, at the beginning."""
        return self._file.part(problem.cell) or next(iter(self._file.parts.values()), None)

    def _problem(self, problem: Problem, part: OpenPart) -> lsp.Diagnostic:
        elsewhere = absolute(Path(problem.path)) != self._file.path
        line = problem.file_line if None in self._file.parts else problem.line
        line = 1 if elsewhere or line is None else min(line, max(len(part.lines), 1))
        ruler = self._ruler(part)
        return lsp.Diagnostic(
            range=lsp.Range(ruler.position(Position(line, 1)), ruler.line_end(line)),
            message=str(problem) if elsewhere else problem.message,
            severity=lsp.DiagnosticSeverity.Error,
            source=SOURCE,
        )
