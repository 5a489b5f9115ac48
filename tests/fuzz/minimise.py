"""Makes an input that shows a fault as small as it can be while it still shows the same fault."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from tests.fuzz.cases import Case

PIECES = (rb"[^\n]*\n?", rb"\w+|\s+|[^\w\s]", rb"(?s).")
"""What is left out: lines, then words and signs, then bytes."""


def minimised(case: Case, complaint: str, seconds: float = 60.0) -> Case:
    """The smallest case with the same kind of complaint that is found in the time."""
    end = time.monotonic() + seconds

    def shows(data: bytes) -> bool:
        told = replace(case, data=data).complaint()
        return told is not None and kind_of(told) == kind_of(complaint)

    data = case.data
    for _ in range(2):
        before = data
        for pieces in PIECES:
            data = _reduced(re.findall(pieces, data), shows, end)
        if data == before or time.monotonic() > end:
            break
    return replace(case, data=data)


def kind_of(complaint: str) -> str:
    """What complaints of the same fault have in common: no names, no places, no figures."""
    return re.sub(
        r"[0-9]+", "0", re.split(r"['\"`@\[{(]", complaint.replace("Traceback (most recent call last)", ""))[0]
    )


def _reduced(pieces: Sequence[bytes], shows: Callable[[bytes], bool], end: float) -> bytes:
    """The pieces that are left when whichever can go is gone, in ever smaller groups."""
    left = [piece for piece in pieces if piece]
    size = max(len(left) // 2, 1)
    while left and time.monotonic() < end:
        for smaller in _without_groups(left, size):
            if time.monotonic() > end:
                break
            if shows(b"".join(smaller)):
                left = smaller
                break
        else:
            if size == 1:
                break
            size //= 2
    return b"".join(left)


def _without_groups(pieces: Sequence[bytes], size: int) -> Iterator[list[bytes]]:
    for start in range(0, len(pieces), size):
        yield [*pieces[:start], *pieces[start + size :]]
