"""JSON for programs: stable, versioned, in ASCII so that it survives any encoding of the output."""

from __future__ import annotations

import json
from typing import Any

from pipelint.lint.diagnostic import Diagnostic, LocatedEdit, LocatedFix, Note, Problem, Span
from pipelint.lint.results import Results
from pipelint.model.grades import Severity
from pipelint.report.findings import FormatOptions

MACHINE_READABLE = True
VERSION = 1


def render(results: Results, options: FormatOptions) -> str:
    """The results as one JSON object; `fixable` counts the findings left that have a fix, safe or not."""
    document = {
        "version": VERSION,
        "findings": [finding_object(diagnostic) for diagnostic in results.diagnostics],
        "errors": [error_object(problem) for problem in results.problems],
        "summary": {
            "files": results.files,
            "errors": results.count(Severity.ERROR),
            "warnings": results.count(Severity.WARNING),
            "advice": results.count(Severity.ADVICE),
            "fixable": results.fixable(),
            "fixed": results.fixed,
        },
    }
    return json.dumps(document, indent=2) + "\n"


def finding_object(diagnostic: Diagnostic) -> dict[str, Any]:
    """A finding as programs read it."""
    return {
        "code": diagnostic.code,
        "name": diagnostic.name,
        "severity": diagnostic.severity.value,
        "message": diagnostic.message,
        **_span(diagnostic.span),
        "fix": _fix(diagnostic.fix) if diagnostic.fix else None,
        "related": [_related(note) for note in diagnostic.related],
        "url": diagnostic.url,
    }


def _span(span: Span) -> dict[str, Any]:
    return {
        "path": span.path,
        "cell": span.start.cell,
        "line": span.start.line,
        "column": span.start.column,
        "end_line": span.end.line,
        "end_column": span.end.column,
    }


def _fix(fix: LocatedFix) -> dict[str, Any]:
    return {"safety": fix.safety.value, "title": fix.title, "edits": [_edit(edit) for edit in fix.edits]}


def _edit(edit: LocatedEdit) -> dict[str, Any]:
    return {**_span(edit.span), "text": edit.text}


def _related(note: Note) -> dict[str, Any]:
    start = note.span.start
    return {
        "path": note.span.path,
        "cell": start.cell,
        "line": start.line,
        "column": start.column,
        "message": note.message,
    }


def error_object(problem: Problem) -> dict[str, Any]:
    """Why a file could not be checked, as programs read it."""
    return {"path": problem.path, "cell": problem.cell, "line": problem.line, "message": problem.message}
