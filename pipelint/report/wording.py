"""Words and colours that the reports of checks and of profiles share."""

from __future__ import annotations

from pipelint.model.grades import Severity

_COLORS = {Severity.ERROR: "red", Severity.WARNING: "yellow", Severity.ADVICE: "blue"}


def color(severity: Severity) -> str:
    """The colour that stands for a severity."""
    return _COLORS[severity]


def counted(number: int, one: str, many: str) -> str:
    """`1 file`, `2 files`."""
    return f"{number} {one if number == 1 else many}"
