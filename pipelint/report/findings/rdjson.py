"""The diagnostic format of reviewdog, with suggestions that a reviewer can accept."""

from __future__ import annotations

import json
from typing import Any

from pipelint.display.terminal import one_line
from pipelint.lint.diagnostic import Diagnostic, LocatedFix, Problem, Span
from pipelint.lint.results import Results
from pipelint.model.edit import Edit
from pipelint.model.grades import Safety, Severity
from pipelint.model.locations import Region
from pipelint.report.findings import FormatOptions
from pipelint.report.findings._exchange import PROJECT_URL, failure, last_line, told, well_formed
from pipelint.report.summary import fix_place
from pipelint.source.edits import apply
from pipelint.source.lines import NEWLINE, Lines, Position

MACHINE_READABLE = True

LONGEST_SUGGESTION = 100
"""In lines. reviewdog shows a suggestion only where a pull request shows all lines of it."""

_SEVERITIES = {Severity.ERROR: "ERROR", Severity.WARNING: "WARNING", Severity.ADVICE: "INFO"}


def render(results: Results, options: FormatOptions) -> str:
    """One diagnostic for each finding and failed file."""
    document = {
        "source": {"name": "pipelint", "url": PROJECT_URL},
        "diagnostics": [*map(_problem, results.problems), *map(_finding, results.diagnostics)],
    }
    return json.dumps(document, indent=2) + "\n"


def _finding(diagnostic: Diagnostic) -> dict[str, Any]:
    entry: dict[str, Any] = {
        "message": _message(diagnostic),
        "location": _location(diagnostic.span, diagnostic.source),
        "severity": _SEVERITIES[diagnostic.severity],
        "code": {"value": f"{diagnostic.code} {diagnostic.name}"},
    }
    if diagnostic.url:
        entry["code"]["url"] = diagnostic.url
    # A suggestion can only change the file that it stands in.
    if diagnostic.fix and not diagnostic.fixed_elsewhere and len(diagnostic.fix.file_lines) <= LONGEST_SUGGESTION:
        entry["suggestions"] = [_suggestion(diagnostic.fix)]
    return entry


def _message(diagnostic: Diagnostic) -> str:
    """All that there is to say: reviewdog refuses fields that it does not know, and knows none for the rest."""
    lines = [
        told(diagnostic),
        *(f"{one_line(str(note.span))}: {one_line(note.message)}" for note in diagnostic.related),
    ]
    if diagnostic.fix and (diagnostic.fix.safety is Safety.UNSAFE or diagnostic.fixed_elsewhere):
        kind = diagnostic.fix.safety.value.capitalize()
        lines.append(f"{kind} fix: {one_line(diagnostic.fix.title)}{fix_place(diagnostic)}")
    return "\n".join(lines)


def _problem(problem: Problem) -> dict[str, Any]:
    location: dict[str, Any] = {"path": well_formed(problem.path)}
    if problem.file_line is not None:
        location["range"] = {"start": {"line": problem.file_line}}
    return {"message": failure(problem), "location": location, "severity": _SEVERITIES[Severity.ERROR]}


def _location(span: Span, source: tuple[str, ...]) -> dict[str, Any]:
    """The span; in a notebook, where the source is not as the file spells it, as whole lines."""
    path = well_formed(span.path)
    if span.in_file or not source:
        return {"path": path, "range": {"start": {"line": span.file_start.line}, "end": {"line": last_line(span)}}}
    return {"path": path, "range": _range(span.start, span.end, source)}


def _suggestion(fix: LocatedFix) -> dict[str, Any]:
    """The whole fix as one suggestion: reviewdog takes several for alternatives, each on the same lines."""
    first = min(edit.span.start for edit in fix.file_edits)
    last = max(edit.span.end for edit in fix.file_edits)
    lines = Lines("".join(fix.file_lines))

    def offset(place: Position) -> int:
        return lines.start(place.line - first.line + 1) + place.column - 1

    edits = [Edit(Region(offset(edit.span.start), offset(edit.span.end)), edit.text) for edit in fix.file_edits]
    changed = apply(lines.text, edits)
    covering = changed[offset(first) : len(changed) - len(lines.text) + offset(last)]
    if last.column == 1 and last.line > first.line:
        return _whole_lines(first, last, covering, fix.file_lines)
    return {"range": _range(first, last, fix.file_lines), "text": covering}


def _whole_lines(first: Position, last: Position, text: str, lines: tuple[str, ...]) -> dict[str, Any]:
    """A suggestion that ends with a line, told without the one after it, which the file may not have."""
    if first.column == 1 and not text:
        return {"range": {"start": {"line": first.line}, "end": {"line": last.line - 1}}, "text": ""}
    ended = NEWLINE.search(lines[last.line - first.line - 1])
    if ended and text.endswith(ended.group()):
        last, text = Position(last.line - 1, ended.start() + 1), text[: -len(ended.group())]
    return {"range": _range(first, last, lines), "text": text}


def _range(start: Position, end: Position, lines: tuple[str, ...]) -> dict[str, Any]:
    """A range in bytes of UTF-8; the lines begin with that of its start."""
    return {"start": _position(start, lines[0]), "end": _position(end, *lines[end.line - start.line :][:1])}


def _position(place: Position, line: str = "") -> dict[str, int]:
    return {"line": place.line, "column": len(line[: place.column - 1].encode("utf-8", "surrogatepass")) + 1}
