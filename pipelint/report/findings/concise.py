"""One line per finding, for editors, grep and short terminals."""

from __future__ import annotations

from pipelint.display.terminal import Palette
from pipelint.lint.results import Results
from pipelint.report.findings import FormatOptions
from pipelint.report.summary import elsewhere, fix_mark, heading, summary

MACHINE_READABLE = False


def render(results: Results, options: FormatOptions) -> str:
    """One line per finding, then the summary."""
    paint = Palette(options.color)
    lines = [
        heading(diagnostic, paint) + elsewhere(diagnostic) + fix_mark(diagnostic, paint)
        for diagnostic in results.diagnostics
    ]
    if not options.quiet:
        lines.append(summary(results, paint))
    return "".join(f"{line}\n" for line in lines)
