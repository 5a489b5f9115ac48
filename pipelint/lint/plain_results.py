"""The result of a file as plain data, and back: what is kept in the cache as JSON."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from enum import Enum
from typing import Any

from pipelint.lint.diagnostic import Diagnostic, LocatedEdit, LocatedFix, Note, Problem, Span
from pipelint.lint.results import FileResult, FileText
from pipelint.model.grades import Safety, Severity
from pipelint.source.lines import Position

Plain = Any
"""Lists, texts, numbers and None."""
_CLEAN = FileResult(files=1)


def to_plain(result: FileResult) -> Plain:
    """The result as JSON can hold it; 0 for a file without anything to tell, as most are."""
    if result == _CLEAN:
        return 0
    return [
        _plain(result.diagnostics),
        _plain(result.problems),
        result.baselined,
        result.text.path if result.text else None,
        # Their texts are in the files.
        [text.path for text in result.texts_elsewhere],
        list(result.notes),
    ]


def from_plain(data: Plain) -> FileResult:
    """The result that `to_plain` made this of; raises ValueError, TypeError or IndexError for anything else."""
    if data == 0:
        return _CLEAN
    diagnostics, problems, baselined, text, elsewhere, notes = data
    return FileResult(
        files=1,
        diagnostics=tuple(map(_diagnostic, diagnostics)),
        problems=tuple(Problem(*problem) for problem in problems),
        baselined=baselined,
        text=None if text is None else FileText(text),
        texts_elsewhere=tuple(map(FileText, elsewhere)),
        notes=tuple(notes),
    )


def _plain(value: object) -> Plain:
    if isinstance(value, Enum):
        return value.value
    if is_dataclass(value):
        return [_plain(getattr(value, field.name)) for field in fields(value)]
    return [_plain(item) for item in value] if isinstance(value, tuple) else value


def _diagnostic(data: Plain) -> Diagnostic:
    code, name, severity, message, span, fix, related, url, source, unfixed = data
    return Diagnostic(
        code,
        name,
        Severity(severity),
        message,
        _span(span),
        None if fix is None else _fix(fix),
        tuple(Note(_span(place), text, line) for place, text, line in related),
        url,
        tuple(source),
        unfixed,
    )


def _fix(data: Plain) -> LocatedFix:
    title, safety, edits, file_edits, lines, withheld = data
    return LocatedFix(title, Safety(safety), _edits(edits), _edits(file_edits), tuple(lines), withheld)


def _edits(data: Plain) -> tuple[LocatedEdit, ...]:
    return tuple(LocatedEdit(_span(span), text) for span, text in data)


def _span(data: Plain) -> Span:
    path, start, end, in_file = data
    places = None if in_file is None else (Position(*in_file[0]), Position(*in_file[1]))
    return Span(path, Position(*start), Position(*end), places)
