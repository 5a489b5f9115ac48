"""Which lines two texts have in common, found in about the time that reading them takes."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from difflib import Match, SequenceMatcher


class LineMatcher(SequenceMatcher[str]):
    """Matches lines as `difflib` does, but between those that both texts have once.

    The time of `difflib` grows with the square of the number of changes, which are many where all of a file is fixed.
    """

    a: Sequence[str]
    b: Sequence[str]

    def get_matching_blocks(self) -> list[Match]:
        """The blocks of equal lines in their order, an empty one at the end."""
        blocks: list[Match] = []
        for block in (*self._blocks(), Match(len(self.a), len(self.b), 0)):
            last = blocks[-1] if blocks else None
            if last is not None and (last.a + last.size, last.b + last.size) == (block.a, block.b) and block.size:
                blocks[-1] = Match(last.a, last.b, last.size + block.size)
            else:
                blocks.append(block)
        return blocks

    def _blocks(self) -> Iterator[Match]:
        old, new = self.a, self.b
        here = there = 0
        for i, j in (*_anchors(old, new), (len(old), len(new))):
            between = SequenceMatcher(None, old[here:i], new[there:j])
            yield from (
                Match(here + block.a, there + block.b, block.size)
                for block in between.get_matching_blocks()
                if block.size
            )
            if i < len(old):
                yield Match(i, j, 1)
            here, there = i + 1, j + 1


def _anchors(old: Sequence[str], new: Sequence[str]) -> list[tuple[int, int]]:
    """The places of lines that both texts have once, as many as stand in the same order in both."""
    times = Counter(new)
    places = {line: index for index, line in enumerate(new) if times[line] == 1}
    times = Counter(old)
    pairs = [(index, places[line]) for index, line in enumerate(old) if times[line] == 1 and line in places]
    ends: list[int] = []
    """The smallest place in the new text at which a run of so many pairs can end."""
    last: list[int] = []
    before: list[int] = []
    for number, (_, place) in enumerate(pairs):
        length = bisect_left(ends, place)
        before.append(last[length - 1] if length else -1)
        ends[length : length + 1] = [place]
        last[length : length + 1] = [number]
    run: list[tuple[int, int]] = []
    number = last[-1] if last else -1
    while number >= 0:
        run.append(pairs[number])
        number = before[number]
    return run[::-1]
