"""Which lines two versions of a file have in common."""

from __future__ import annotations

from pipelint.source.document import Document
from pipelint.source.line_matcher import LineMatcher
from pipelint.source.lines import NEWLINE, Position


class Alignment:
    """The lines of a newer version of a file that the older one has too; line ends do not matter.

    The code cells of a notebook count as one run of lines, so that cells may come, go and grow; nothing else in the
    notebook matters.
    """

    def __init__(self, old: Document, new: Document) -> None:
        before, after = _numbered(old), _numbered(new)
        pairs = _common([text for text, *_ in before], [text for text, *_ in after])
        self._origins = {after[there][1:]: before[here][1:] for here, there in pairs}

    def origin(self, place: Position) -> Position | None:
        """Where a place of the newer version stood in the older one; None if its line is new or changed."""
        found = self._origins.get((place.cell, place.line))
        return None if found is None else Position(found[1], place.column, found[0])


def _numbered(document: Document) -> list[tuple[str, int | None, int]]:
    """Each line with its cell and its number."""
    return [(line, cell, number) for cell, text in document.parts for number, line in enumerate(NEWLINE.split(text), 1)]


def _common(old: list[str], new: list[str]) -> list[tuple[int, int]]:
    """The pairs of indices of equal lines."""
    blocks = LineMatcher(None, old, new).get_matching_blocks()
    return [(block.a + index, block.b + index) for block in blocks for index in range(block.size)]
