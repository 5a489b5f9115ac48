"""What was tuned, for a terminal: the diff, what each rewrite gave, and before, after and the limit."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator

from pipelint.display.terminal import Palette, one_line
from pipelint.dynamic.tuning import Tuning
from pipelint.report.tune import sentences

_WIDTH = 100


def render(tuning: Tuning, *, color: bool = False, width: int | None = None) -> str:
    """The report."""
    paint, wide = Palette(color), min(width or _WIDTH, _WIDTH)
    parts = [tuning.diff, "\n".join(_table(tuning, paint, wide)), "\n".join(_left_out(tuning, wide))]
    parts.append("\n".join(paint(line, bold=number == 0) for number, line in enumerate(_summary(tuning, wide))))
    if tuning.service is not None and tuning.service.diff:
        parts.append(f"To take the data from a service:\n{tuning.service.diff}")
    return "\n\n".join(part.rstrip("\n") for part in parts if part) + "\n"


def _table(tuning: Tuning, paint: Palette, wide: int) -> Iterator[str]:
    for number, rewrite in enumerate(tuning.accepted, 1):
        head = f"{number}. {rewrite.code}  {sentences.place(rewrite)}  {sentences.gain(rewrite.gain)}"
        yield paint(one_line(head), bold=True)
        yield from _wrapped(f"{rewrite.title}; {sentences.verified(rewrite)}", wide, "   ")


def _left_out(tuning: Tuning, wide: int) -> Iterator[str]:
    others = [rewrite for rewrite in tuning.rewrites if not rewrite.accepted]
    if others:
        yield "Not kept:"
    for rewrite in others:
        yield from _wrapped(
            f"{rewrite.code}  {sentences.place(rewrite)}  {rewrite.title}: {rewrite.reason}", wide, "  "
        )


def _summary(tuning: Tuning, wide: int) -> Iterator[str]:
    for line in sentences.summary(tuning):
        yield from _wrapped(line, wide, "")


def _wrapped(line: str, wide: int, margin: str) -> list[str]:
    return textwrap.wrap(
        one_line(line), wide, initial_indent=margin, subsequent_indent=f"{margin}  ", break_on_hyphens=False
    )
