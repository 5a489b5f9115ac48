"""Text edits: applying them, and choosing fixes that can be applied together."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Iterable, Sequence
from itertools import pairwise, takewhile
from operator import eq

from pipelint.model.edit import Edit


def shared_ends(old: Sequence[str], new: Sequence[str]) -> tuple[int, int]:
    """How many items, or letters, two texts have in common at their beginning, and at their end behind that."""
    head = _shared(old, new)
    return head, _shared(old[head:][::-1], new[head:][::-1])


def _shared(one: Sequence[str], other: Sequence[str]) -> int:
    return sum(takewhile(bool, map(eq, one, other)))


def overlap(first: Edit, second: Edit) -> bool:
    """Whether two different edits cannot both be applied: they share text, or insert at the same offset."""
    if first == second:
        return False
    a, b = first.region, second.region
    return a == b or (a.start < b.end and b.start < a.end)


def compatible(fixes: Sequence[Sequence[Edit]]) -> list[int]:
    """The indices of fixes that can be applied together, first come first served in order of position.

    Fixes may share an identical insertion, such as the same added import, but not with one that takes text away: what
    it inserts is the text that it moves. One without edits is never chosen.
    """
    accepted: list[Edit] = []  # in order; those of different fixes do not overlap, so that only neighbours can
    known: set[Edit] = set()
    moving: set[Edit] = set()
    chosen = []
    for _, index in sorted((min(edits), index) for index, edits in enumerate(fixes) if edits):
        edits = fixes[index]
        takes_away = any(not edit.text for edit in edits)
        shares = any(edit in (known if takes_away else moving) for edit in edits)
        if not shares and not any(_overlaps_any(edit, accepted) for edit in edits):
            chosen.append(index)
            for edit in set(edits) - known:
                insort(accepted, edit)
            known.update(edits)
            moving.update(edits if takes_away else ())
    return chosen


def _overlaps_any(edit: Edit, accepted: Sequence[Edit]) -> bool:
    at = bisect_left(accepted, edit)
    for near in (range(at - 1, -1, -1), range(at, len(accepted))):
        for index in near:
            other = accepted[index]
            if overlap(edit, other):
                return True
            if _hides_others(other, edit):
                break
    return False


def _hides_others(nearer: Edit, edit: Edit) -> bool:
    """Whether an accepted edit stands between another one and all that are behind it.

    Where it takes text away it does. An insertion may stand where others begin or end, and hides them only from afar.
    """
    if nearer == edit:
        return False
    near, own = nearer.region, edit.region
    return near.start != near.end or near.start < own.start or near.start > own.end


def merged(fixes: Iterable[Iterable[Edit]]) -> list[Edit]:
    """The edits of compatible fixes in order, shared ones once."""
    return sorted({edit for edits in fixes for edit in edits})


def ordered(edits: Iterable[Edit]) -> list[Edit]:
    """The edits in order, identical ones once; raises ValueError if they overlap."""
    result = merged([edits])
    for first, second in pairwise(result):
        if overlap(first, second):
            raise ValueError(f"overlapping edits: {first} and {second}")
    return result


def apply(text: str, edits: Iterable[Edit]) -> str:
    """The text after the edits; raises ValueError if they overlap or lie outside the text."""
    pieces: list[str] = []
    done = 0
    for edit in ordered(edits):
        if not done <= edit.region.start <= edit.region.end <= len(text):
            raise ValueError(f"outside the text: {edit}")
        pieces += text[done : edit.region.start], edit.text
        done = edit.region.end
    return "".join([*pieces, text[done:]])
