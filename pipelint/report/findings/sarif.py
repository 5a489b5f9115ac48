"""SARIF 2.1.0, for code scanning and other viewers of static analysis."""

from __future__ import annotations

import json
import os
import re
from typing import Any
from urllib.parse import quote

from pipelint.display.terminal import one_line
from pipelint.lint.diagnostic import Diagnostic, LocatedEdit, LocatedFix, Note, Problem, Span
from pipelint.lint.fingerprints import fingerprints
from pipelint.lint.results import Results
from pipelint.model.grades import Safety, Severity
from pipelint.project.registry import RegisteredRule
from pipelint.report.findings import FormatOptions
from pipelint.report.findings._exchange import PROJECT_URL, failure, in_checkout, told
from pipelint.report.rule_pages import as_markdown
from pipelint.source.lines import Position
from pipelint.version import __version__

MACHINE_READABLE = True

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
ROOT = "SRCROOT"
FINGERPRINT = "pipelint/v1"

_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.ADVICE: "note"}
_PROBLEM_SEVERITIES = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.ADVICE: "recommendation"}


def render(results: Results, options: FormatOptions) -> str:
    """The results as a log of one run; what was found depends on nothing but the source, so does the log."""
    return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [_Run(results).log()]}, indent=2) + "\n"


class _Run:
    """One run, with the numbers that results refer to rules and files by."""

    def __init__(self, results: Results) -> None:
        self._results = results
        self._rules = {rule.code: index for index, rule in enumerate(results.rules)}
        paths = {diagnostic.span.path for diagnostic in results.diagnostics}
        paths |= {note.span.path for diagnostic in results.diagnostics for note in diagnostic.related}
        paths |= {path for diagnostic in results.diagnostics for path in diagnostic.fixed_elsewhere}
        paths |= {problem.path for problem in results.problems}
        self._paths = {path: index for index, path in enumerate(sorted(paths))}

    def log(self) -> dict[str, Any]:
        problems, found = self._results.problems, self._results.diagnostics
        return {
            "tool": {
                "driver": {
                    "name": "pipelint",
                    "version": __version__,
                    "semanticVersion": __version__,
                    "informationUri": PROJECT_URL,
                    "rules": [_rule(rule) for rule in self._results.rules],
                }
            },
            "invocations": [
                {
                    "executionSuccessful": not problems,
                    "toolExecutionNotifications": [self._notification(problem) for problem in problems],
                }
            ],
            "originalUriBaseIds": {ROOT: {"description": {"text": "The directory that relative paths start from."}}},
            "artifacts": [{"location": self._artifact(path), "mimeType": _mime_type(path)} for path in self._paths],
            "columnKind": "unicodeCodePoints",
            "results": [self._result(*pair) for pair in zip(found, fingerprints(found), strict=True)],
        }

    def _result(self, diagnostic: Diagnostic, fingerprint: str) -> dict[str, Any]:
        result: dict[str, Any] = {"ruleId": diagnostic.code}
        if diagnostic.code in self._rules:
            result["ruleIndex"] = self._rules[diagnostic.code]
        result |= {
            "level": _LEVELS[diagnostic.severity],
            "message": {"text": _text(told(diagnostic))},
            "locations": [{"physicalLocation": self._physical(diagnostic.span)}],
            "partialFingerprints": {FINGERPRINT: fingerprint},
        }
        if diagnostic.related:
            result["relatedLocations"] = [self._related(*item) for item in enumerate(diagnostic.related, 1)]
        if diagnostic.fix:
            result["fixes"] = [self._fix(diagnostic.fix)]
        return result

    def _related(self, number: int, note: Note) -> dict[str, Any]:
        return {
            "id": number,
            "physicalLocation": self._physical(note.span),
            "message": {"text": _text(told(note))},
        }

    def _fix(self, fix: LocatedFix) -> dict[str, Any]:
        caution = "" if fix.safety is Safety.SAFE else " (unsafe)"
        replacements: dict[str, list[dict[str, Any]]] = {path: [] for path in fix.paths}
        for edit in fix.file_edits:
            replacements[edit.span.path].append(_replacement(edit))
        return {
            "description": {"text": _text(one_line(fix.title) + caution)},
            "artifactChanges": [
                {"artifactLocation": self._artifact(path), "replacements": changes}
                for path, changes in replacements.items()
            ],
            "properties": {"safety": fix.safety.value},
        }

    def _notification(self, problem: Problem) -> dict[str, Any]:
        location: dict[str, Any] = {"artifactLocation": self._artifact(problem.path)}
        if problem.file_line is not None:
            location["region"] = {"startLine": problem.file_line}
        return {
            "level": "error",
            "message": {"text": _text(failure(problem))},
            "locations": [{"physicalLocation": location}],
        }

    def _physical(self, span: Span) -> dict[str, Any]:
        return {"artifactLocation": self._artifact(span.path), "region": _region(span.file_start, span.file_end)}

    def _artifact(self, path: str) -> dict[str, Any]:
        path, index = in_checkout(path, "GITHUB_WORKSPACE"), self._paths[path]
        if os.path.isabs(path):
            return {"uri": f"file:///{_uri(path.lstrip('/'), colon=':')}", "index": index}
        return {"uri": _uri(path), "uriBaseId": ROOT, "index": index}


def _rule(rule: RegisteredRule) -> dict[str, Any]:
    kind = rule.type
    summary = kind.summary() or rule.name
    descriptor: dict[str, Any] = {
        "id": rule.code,
        "name": rule.name,
        "shortDescription": {"text": _text(summary)},
        "fullDescription": {"text": _text(_opening(kind.documentation()) or summary)},
        "help": {"text": kind.documentation() or summary, "markdown": as_markdown([rule], index=False)},
        "defaultConfiguration": {"enabled": kind.default, "level": _LEVELS[kind.severity]},
        "properties": {"tags": ["tensorflow"], "problem.severity": _PROBLEM_SEVERITIES[kind.severity]},
    }
    if rule.url:
        descriptor["helpUri"] = rule.url
    return descriptor


def _opening(documentation: str) -> str:
    """What the rule finds: the documentation up to the second of its sections, without headings."""
    sections = re.split(r"^#+ .*\n", documentation, maxsplit=2, flags=re.MULTILINE)[:2]
    return one_line(" ".join(sections))


def _replacement(edit: LocatedEdit) -> dict[str, Any]:
    replacement: dict[str, Any] = {"deletedRegion": _region(edit.span.start, edit.span.end)}
    if edit.text:
        replacement["insertedContent"] = {"text": edit.text}
    return replacement


def _region(start: Position, end: Position) -> dict[str, int]:
    return {"startLine": start.line, "startColumn": start.column, "endLine": end.line, "endColumn": end.column}


def _mime_type(path: str) -> str:
    return "application/x-ipynb+json" if path.lower().endswith(".ipynb") else "text/x-python"


def _text(text: str) -> str:
    """A message in which nothing is taken for a link."""
    return text.replace("[", "\\[") if "](" in text else text


def _uri(path: str, colon: str = "") -> str:
    # By bytes, so that a name that is not UTF-8 is told exactly.
    return quote(os.fsencode(path), safe=f"/{colon}")
