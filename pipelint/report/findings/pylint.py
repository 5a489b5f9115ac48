"""Lines as Pylint writes them in its format for parsers, which editors and CI systems have matchers for."""

from __future__ import annotations

from pipelint.display.terminal import one_line
from pipelint.lint.results import Results
from pipelint.report.findings import FormatOptions
from pipelint.report.findings._exchange import failure, told, well_formed
from pipelint.report.summary import elsewhere

MACHINE_READABLE = True


def render(results: Results, options: FormatOptions) -> str:
    """`path:line: [CODE] name: message`, in a notebook with the lines of its JSON; then files that failed."""
    lines = [
        f"{one_line(found.span.path)}:{found.span.file_start.line}: [{found.code}] {found.name}: "
        f"{told(found)}{elsewhere(found)}"
        for found in results.diagnostics
    ]
    lines += [
        f"{one_line(problem.path)}:{problem.file_line or 1}: [pipelint] {failure(problem)}"
        for problem in results.problems
    ]
    return "".join(f"{well_formed(line)}\n" for line in lines)
