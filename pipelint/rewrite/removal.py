"""Takes statements and the items of comma-separated lists out of a text."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pipelint.model.locations import Region
from pipelint.model.repair import Edit
from pipelint.source.positions import Positions

_SPACE = re.compile(r"[ \t]*")
_TO_COMMA = re.compile(r"[\s)]*,")
_BLANKS = re.compile(r"[ \t]*(?:\r\n|\r|\n)?[ \t]*")


def without_statement(positions: Positions, region: Region, *, alone_in_block: bool) -> tuple[Edit, ...]:
    """The edits that delete a statement, with its line; a comment behind it stays, on a line of its own."""
    text = positions.text
    if alone_in_block:
        return (Edit(region, "pass"),)
    start, end = positions.line_start(region.start), positions.line_end(region.end)
    before, behind = text[start : region.start], text[region.end : end]
    if before.strip() or behind.strip().startswith(";"):
        return ()
    if behind.strip():
        spaces = _SPACE.match(text, region.end)
        return (Edit(Region(region.start, spaces.end() if spaces else region.end), ""),)
    end += 2 if text[end : end + 2] == "\r\n" else 1
    return (Edit(Region(start, min(end, len(text))), ""),)


def without_item(positions: Positions, items: Sequence[Region], index: int) -> tuple[Edit, ...]:
    """The edit that deletes one item of a list of them, with the comma and the line that it leaves behind."""
    text, item = positions.text, items[index]
    comma = _TO_COMMA.match(text, item.end)
    if index + 1 < len(items):
        if comma is None:
            return ()
        following = _BLANKS.match(text, comma.end())
        end = following.end() if following else comma.end()
        return (Edit(Region(item.start, end), ""),) if end == items[index + 1].start else ()
    start = items[index - 1].end if index else item.start
    between = text[start : item.start]
    if "#" in between or ")" in between:
        return ()
    end = item.end
    if comma is not None and (not index or "\n" not in between):
        end = comma.end()
    elif comma is not None:
        # The comma that stands before the item stays behind the one before: the last comma of a list of lines.
        start, end = start + between.index(",") + 1, comma.end()
    return (Edit(Region(start, end), ""),)
