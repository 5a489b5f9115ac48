"""The smallest edits between an old and a new text: changes that are far apart are edits of their own."""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import SequenceMatcher
from itertools import accumulate

from pipelint.model.edit import Edit
from pipelint.model.locations import Region
from pipelint.source.edits import shared_ends

# A name has its dot and the white space before it with it, so that edits begin and end where people would cut.
_WORD = re.compile(r"\s*\.?\w+|\s*\S|\s+")


def smallest_edits(start: int, old: str, new: str) -> Iterator[Edit]:
    """The edits that turn the old text, which stands at an offset, into the new one."""
    before, after = _WORD.findall(old), _WORD.findall(new)
    # Statements can be long and changes are small: only what lies between the first and the last is compared.
    head, tail = shared_ends(before, after)
    matcher = SequenceMatcher(None, before[head : len(before) - tail], after[head : len(after) - tail], autojunk=False)
    changes = [[head + place for place in places] for kind, *places in matcher.get_opcodes() if kind != "equal"]
    offsets = list(accumulate(map(len, before), initial=start))
    starts = [*(change[0] for change in changes), len(before) + 1]
    for change, following in zip(changes, starts[1:], strict=True):
        i, j, k, m = change
        # Words that come or go before the same words may as well do so behind them: `.cache()`, and not `).cache(`.
        while (i == j or k == m) and j + 1 < following and (before[i] if i < j else after[k]) == before[j]:
            i, j, k, m = i + 1, j + 1, k + 1, m + 1
        yield _bare(offsets[i], "".join(before[i:j]), "".join(after[k:m]))


def _bare(start: int, old: str, new: str) -> Edit:
    """The edit, as an insertion or a deletion where it is nothing else."""
    head, tail = shared_ends(old, new)
    if head + tail < min(len(old), len(new)):
        return Edit(Region(start, start + len(old)), new)
    return Edit(Region(start + head, start + len(old) - tail), new[head : len(new) - tail])
