"""One line per finding, for editors, grep and short terminals."""

from __future__ import annotations

from pipelint.display.terminal import Palette, one_line
from pipelint.lint.diagnostic import Diagnostic
from pipelint.lint.results import Results
from pipelint.report.findings import FormatOptions
from pipelint.report.summary import heading, summary

MACHINE_READABLE = False


def render(results: Results, options: FormatOptions) -> str:
    """One line per finding, then the summary."""
    paint = Palette(options.color)
    lines = [heading(diagnostic, paint) + _mark(diagnostic, paint) for diagnostic in results.diagnostics]
    if not options.quiet:
        lines.append(summary(results, paint))
    return "".join(f"{line}\n" for line in lines)


def _mark(diagnostic: Diagnostic, paint: Palette) -> str:
    if diagnostic.fix:
        return paint(f" [{diagnostic.fix.safety.value} fix]", "cyan")
    return f" [no fix: {one_line(diagnostic.unfixed)}]" if diagnostic.unfixed else ""
