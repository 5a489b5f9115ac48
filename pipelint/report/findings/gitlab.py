"""GitLab's Code Quality report, a subset of Code Climate's format."""

from __future__ import annotations

import json
from typing import Any

from pipelint.lint.diagnostic import Diagnostic, Problem
from pipelint.lint.fingerprints import fingerprints, problem_fingerprints
from pipelint.lint.results import Results
from pipelint.model.grades import Severity
from pipelint.report.findings import FormatOptions
from pipelint.report.findings._exchange import failure, in_checkout, last_line, told, well_formed
from pipelint.report.summary import elsewhere

MACHINE_READABLE = True

_SEVERITIES = {Severity.ERROR: "major", Severity.WARNING: "minor", Severity.ADVICE: "info"}


def render(results: Results, options: FormatOptions) -> str:
    """One entry for each finding and failed file."""
    entries = [
        *map(_problem, results.problems, problem_fingerprints(results.problems)),
        *map(_finding, results.diagnostics, fingerprints(results.diagnostics)),
    ]
    return json.dumps(entries, indent=2) + "\n"


def _finding(diagnostic: Diagnostic, fingerprint: str) -> dict[str, Any]:
    span = diagnostic.span
    lines = {"begin": span.file_start.line, "end": last_line(span)}
    return {
        "description": f"{diagnostic.name}: {told(diagnostic)}{well_formed(elsewhere(diagnostic))}",
        "check_name": diagnostic.code,
        "fingerprint": fingerprint,
        "severity": _SEVERITIES[diagnostic.severity],
        "location": {"path": _path(span.path), "lines": lines},
    }


def _problem(problem: Problem, fingerprint: str) -> dict[str, Any]:
    return {
        "description": f"pipelint could not check this file: {failure(problem)}",
        "check_name": "pipelint",
        "fingerprint": fingerprint,
        "severity": _SEVERITIES[Severity.ERROR],
        "location": {"path": _path(problem.path), "lines": {"begin": problem.file_line or 1}},
    }


def _path(path: str) -> str:
    return well_formed(in_checkout(path, "CI_PROJECT_DIR"))
