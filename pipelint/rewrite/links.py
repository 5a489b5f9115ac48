"""The links of a method chain as text: where `.method(...)` begins and ends, with its line breaks and comments."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass

from pipelint.model.locations import Region
from pipelint.source.positions import Positions

_COMMENT_BEHIND = re.compile(r"[ \t]*#[^\r\n]*")
_PIECES = re.compile(r"#[^\r\n]*|\\?(?:\r\n|\r|\n)|[ \t\f]+|.")
_BREAK = re.compile(r"\\?(?:\r\n|\r|\n)[ \t]*")


@dataclass(frozen=True)
class Link:
    """One `.method(...)` of a chain."""

    whole: Region
    """The link with the comments that belong to it, above and behind."""
    bare: Region
    """The link without any comment, and without the line that would be empty when it goes."""
    method: Region
    """From the method's name to the closing parenthesis."""
    lead: str
    """The dot, with the line break before or behind it, as a new neighbour would have it."""
    comment: str
    """The comment behind it that belongs to it alone."""
    front: int
    """Where a link before this one is put in."""

    @property
    def has_own_line(self) -> bool:
        """Whether it begins a line inside of brackets."""
        return self.lead[:1] in ("\r", "\n")

    @property
    def behind(self) -> int:
        """Where a link behind this one is put in."""
        return self.method.end + len(self.comment)


def link_of(positions: Positions, node: ast.Call) -> Link | None:
    """The link that a call is; None where it is no call of an attribute."""
    if not isinstance(node.func, ast.Attribute):
        return None
    text = positions.text
    method = Region(positions.attribute_name(node.func).start, positions.region(node).end)
    start, dot, line_break, commented = _head(text, positions.region(node.func.value).end, method.start)
    if dot is None or "#" in text[dot : method.start]:
        return None
    if line_break is None or line_break > dot:
        flat = Region(start, method.end)
        return Link(flat, flat, method, text[dot : method.start], "", start)
    last_break = _last_break(text, start, dot)
    found = _BREAK.search(text, last_break, dot)
    assert found is not None
    spacing = " " if found.group().startswith("\\") else ""
    lead = f"{spacing}{found.group()}."
    rest = _COMMENT_BEHIND.match(text, method.end)
    comment = rest.group() if rest and not spacing else ""
    front = start if spacing else line_break
    end = method.end + len(comment)
    ends_line = text[end : positions.line_end(end)].strip(" \t\\") == ""
    if not ends_line and (commented or text[end : positions.line_end(end)].lstrip().startswith(".")):
        # What follows on the line must not slip behind the comment above, nor take its place.
        here = Region(dot, method.end)
        return Link(here, here, method, lead, comment, front)
    bare = Region(front if spacing else last_break, method.end)
    return Link(Region(front, end), bare, method, lead, comment, front)


def _head(text: str, start: int, end: int) -> tuple[int, int | None, int | None, bool]:
    """Between a receiver and a method's name: behind its brackets, the dot, the first line break, a comment before."""
    dot = line_break = None
    commented = False
    for piece in _PIECES.finditer(text, start, end):
        found = piece.group()
        if found == ")":
            start, line_break, commented = piece.end(), None, False
        elif found == ".":
            dot = piece.start()
        elif found.startswith("#"):
            commented = True
        elif found.endswith(("\r", "\n")) and line_break is None:
            line_break = piece.start()
    return start, dot, line_break, commented


def _last_break(text: str, start: int, dot: int) -> int:
    """The last line break before the dot: what the white space of a neighbour is modelled on."""
    return max((found.start() for found in _BREAK.finditer(text, start, dot)), default=start)
