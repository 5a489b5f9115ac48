"""One line per finding, for editors, grep and short terminals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from pipelint.display.terminal import Palette
from pipelint.report.findings import FormatOptions
from pipelint.report.summary import elsewhere, fix_mark, heading, summary

if TYPE_CHECKING:
    from pipelint.lint.diagnostic import Diagnostic  # a clean run has none
    from pipelint.lint.results import Results

MACHINE_READABLE = False


def render(results: Results, options: FormatOptions) -> str:
    """One line per finding, then the summary."""
    closing = "" if options.quiet else f"{summary(results, Palette(options.color))}\n"
    return render_next(results.diagnostics, options, first=True) + closing


def render_next(diagnostics: Sequence[Diagnostic], options: FormatOptions, *, first: bool) -> str:
    """One line per finding."""
    paint = Palette(options.color)
    lines = (heading(found, paint) + elsewhere(found) + fix_mark(found, paint) for found in diagnostics)
    return "".join(f"{line}\n" for line in lines)
