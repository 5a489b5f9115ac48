"""Shows what fixes change, as unified diffs that `patch -p0` applies; for notebooks cell by cell, as source."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from pipelint.display.terminal import Palette, visible
from pipelint.lint.diagnostic import shown_position
from pipelint.lint.results import Change
from pipelint.source.line_matcher import LineMatcher

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
    before, after = _LINE.findall(old), _LINE.findall(new)
    groups = list(LineMatcher(None, before, after).get_grouped_opcodes())
    if groups:
        yield from (f"--- {title}", f"+++ {title}")
    for group in groups:
        first, last = group[0], group[-1]
        yield f"@@ -{_range(first[1], last[2])} +{_range(first[3], last[4])} @@"
        for kind, i, j, k, m in group:
            if kind == "equal":
                yield from _lines(" ", before[i:j])
            else:
                yield from _lines("-", before[i:j])
                yield from _lines("+", after[k:m])


def _range(start: int, end: int) -> str:
    """Lines as diffs count them: from 1, the number left out where it is 1, and of none the one before them."""
    length = end - start
    if length == 1:
        return str(start + 1)
    return f"{start + 1 if length else start},{length}"


def _lines(sign: str, lines: Iterable[str]) -> Iterator[str]:
    for line in lines:
        yield sign + line.removesuffix("\n")
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
