"""Findings under the names of their files, a line each, the most severe first."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from pipelint.display.terminal import Palette, one_line, wrapped
from pipelint.report.findings import FormatOptions
from pipelint.report.summary import elsewhere, fix_mark, severity_color, summary

if TYPE_CHECKING:
    from pipelint.lint.diagnostic import Diagnostic  # a clean run has none
    from pipelint.lint.results import Results

MACHINE_READABLE = False


def render(results: Results, options: FormatOptions) -> str:
    """A block for each file, then the summary."""
    paint = Palette(options.color)
    blocks = []
    for path, found in groupby(results.diagnostics, key=lambda diagnostic: diagnostic.span.path):
        worst_first = sorted(found, key=lambda diagnostic: -diagnostic.severity.weight)
        width = max(len(_place(diagnostic)) for diagnostic in worst_first)
        lines = (wrapped(_line(diagnostic, width, paint), options.width, width + 4) for diagnostic in worst_first)
        blocks.append(f"{paint(one_line(path), bold=True)}:\n" + "".join(f"{line}\n" for line in lines))
    if not options.quiet:
        blocks.append(summary(results, paint) + "\n")
    return "\n".join(blocks)


def _line(diagnostic: Diagnostic, width: int, paint: Palette) -> str:
    grade = paint(f"{diagnostic.severity.value} {diagnostic.code}", severity_color(diagnostic.severity), bold=True)
    message = f"{one_line(diagnostic.message)}{elsewhere(diagnostic)}{fix_mark(diagnostic, paint)}"
    return f"  {_place(diagnostic):<{width}}  {grade} {diagnostic.name}: {message}"


def _place(diagnostic: Diagnostic) -> str:
    start = diagnostic.span.start
    cell = "" if start.cell is None else f"cell {start.cell}:"
    return f"{cell}{start.line}:{start.column}"
