"""How large a value may grow before it counts as unknown: its parts are shared, but whoever asks walks them all."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from pipelint.model.values import UNKNOWN, Literal, Text, Value
from pipelint.static.abstract.compound import Compound
from pipelint.static.abstract.values import DatasetValue, Sequence, Table

MOST_PARTS = 1_000
"""How many parts a value may have, at all depths: beyond that it is data, or doubles with each assignment."""
MOST_ITEMS = 10_000
"""The same where none of them has parts itself: a list that is written out, of which rules ask the length."""
DEEPEST = 100
"""How deep its parts may nest: nobody writes out data that does, and all who ask walk down by recursion."""
_FLAT = 2
LONGEST_TEXT = 4096
"""How much of a text is kept at either end: texts are followed as names of files, which end there (PATH_MAX)."""
LARGEST_NUMBER = 2**63
"""Where a size or a count ends for TensorFlow, whose largest integers have 64 bits."""


def bounded(value: Value) -> Value:
    """The value, or what is kept of one that is too large: that it is a text, or a container of unknown items."""
    match value:
        case Compound(extent=(parts, depth)):
            most = MOST_ITEMS if depth == _FLAT else MOST_PARTS
            return value if parts <= most and depth <= DEEPEST else _given_up(value)
        case Literal(value=str() as text) if len(text) > LONGEST_TEXT:
            return Text(text[:LONGEST_TEXT], end=text[-LONGEST_TEXT:])
        case Text(start=start, end=end) if len(start) > LONGEST_TEXT or len(end) > LONGEST_TEXT:
            return replace(value, start=start[:LONGEST_TEXT], end=end[-LONGEST_TEXT:])
        case Literal(value=int() as number) if not -LARGEST_NUMBER <= number <= LARGEST_NUMBER:
            return UNKNOWN
        case _:
            return value


def _given_up(value: Compound) -> Value:
    for part in _distinct_parts(value):
        if isinstance(part, DatasetValue):
            # What becomes of it is not known from here on: nobody may say that nothing does.
            part.used = part.extended = True
    match value:
        case Sequence():
            return replace(value, items=(UNKNOWN,), open_ended=True)
        case Table():
            return replace(value, items=((None, UNKNOWN),))
        case _:
            return UNKNOWN


def _distinct_parts(value: Value) -> Iterator[Value]:
    pending = [value]
    seen: set[int] = set()
    while pending:
        part = pending.pop()
        if id(part) not in seen:
            seen.add(id(part))
            yield part
            pending.extend(part.parts if isinstance(part, Compound) else ())
