"""What the formats for other programs share: messages on one line, and paths that every reader takes."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from pathlib import Path

from pipelint.display.terminal import one_line
from pipelint.lint.diagnostic import Diagnostic, Note, Problem, Span
from pipelint.source.paths import absolute, relative

PROJECT_URL = "https://github.com/pipelint/pipelint"

_SURROGATE = re.compile("[\ud800-\udfff]")


def told(finding: Diagnostic | Note) -> str:
    """The message on one line; in a notebook with cell and line, where the place given is a line of the JSON."""
    return f"{_in_cell(finding.span)}{one_line(finding.message)}"


def failure(problem: Problem) -> str:
    """Why a file could not be checked, on one line."""
    cell = "" if problem.cell is None else f"cell {problem.cell}, line {problem.line or 1}: "
    return f"{cell}{one_line(problem.message)}"


def last_line(span: Span) -> int:
    """The last line of the file that a span has a part of; its end is exclusive."""
    start, end = span.file_start, span.file_end
    return end.line - 1 if end.column == 1 and end.line > start.line else end.line


def in_checkout(path: str, variable: str, environment: Mapping[str, str] = os.environ) -> str:
    """The path from the top of the checkout that the variable names, though the run began further down."""
    root = environment.get(variable)
    return (relative(absolute(Path(path)), Path(root)) if root else None) or path


def well_formed(text: str) -> str:
    """The text without halves of surrogate pairs, which stand for names that are not UTF-8 and no parser takes."""
    return _SURROGATE.sub("\N{REPLACEMENT CHARACTER}", text)


def _in_cell(span: Span) -> str:
    return "" if span.start.cell is None else f"cell {span.start.cell}, line {span.start.line}: "
