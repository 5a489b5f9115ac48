"""Shows what fixes change, as unified diffs that `patch -p0` applies; for notebooks cell by cell, as source."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Iterator

from pipelint.display.terminal import Palette, visible
from pipelint.lint.diagnostic import shown_position
from pipelint.lint.results import Change

_LINE = re.compile(r"[^\n]*\n|[^\n]+")
_NO_NEWLINE = "\\ No newline at end of file"
_COLORS = {"+": "green", "-": "red", "@": "cyan"}


def unified_diff(changes: Iterable[Change], *, color: bool = False, raw: bool = False) -> str:
    """The diff of all changes, unless `raw` without the characters that would steer the terminal it ends up on.

    What stays are tabs, and carriage returns where a line ends with one: `patch` needs them.
    """
    paint = Palette(color)
    lines: Iterable[str] = (
        line
        for change in changes
        for text in change.texts
        for line in part_diff(change.path, text.cell, text.before, text.after)
    )
    if not raw:
        lines = map(_harmless, lines)
    return "".join(f"{_painted(line, paint)}\n" for line in lines)


def part_diff(path: str, cell: int | None, old: str, new: str) -> Iterator[str]:
    """The lines of the diff of a file's text, or of one cell of a notebook."""
    title = visible(shown_position(path, cell, None))
    # The last line of a cell never ends in a newline: no news to a reader.
    yield from (line for line in _text_diff(title, old, new) if cell is None or line != _NO_NEWLINE)


def _text_diff(title: str, old: str, new: str) -> Iterator[str]:
    for line in difflib.unified_diff(_LINE.findall(old), _LINE.findall(new), title, title):
        yield line.removesuffix("\n")
        if not line.endswith("\n"):
            yield _NO_NEWLINE


def _harmless(line: str) -> str:
    text = line.removesuffix("\r")
    return "\t".join(map(visible, text.split("\t"))) + line[len(text) :]


def _painted(line: str, paint: Palette) -> str:
    if line.startswith(("---", "+++")):
        return paint(line, bold=True)
    color = _COLORS.get(line[:1])
    return paint(line, color) if color else line
