"""A JSON object a line, for programs that read while others write: findings as in `json`, then what went wrong."""

from __future__ import annotations

import json

from pipelint.lint.results import Results
from pipelint.report.findings import FormatOptions
from pipelint.report.findings.json import error_object, finding_object

MACHINE_READABLE = True


def render(results: Results, options: FormatOptions) -> str:
    """A line for each finding, with `kind` finding, and for each file that could not be checked, with `kind` error."""
    found = ({"kind": "finding", **finding_object(diagnostic)} for diagnostic in results.diagnostics)
    failed = ({"kind": "error", **error_object(problem)} for problem in results.problems)
    return "".join(f"{json.dumps(item)}\n" for item in (*found, *failed))
