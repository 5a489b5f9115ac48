"""What kind of thing a value is, for calls that give more of that kind."""

from __future__ import annotations

from dataclasses import replace

from pipelint.model.values import UNKNOWN, Value
from pipelint.static.abstract.values import Foreign, Instance, Sequence, Table, Tensor


def another(value: Value) -> Value:
    """A value of the same kind of which nothing else is known: no constant, and no dataset, whose stages may differ."""
    match value:
        case Tensor():
            return replace(value, rows=None)
        case Foreign(library=library):
            return Foreign(library)
        case Instance(cls=cls, symbol=symbol, exact=exact):
            return Instance(cls=cls, symbol=symbol, exact=exact)
        case Sequence(items=items):
            return replace(value, items=tuple(map(another, items)), number=None)
        case Table(items=items):
            return replace(value, items=tuple((key, another(item)) for key, item in items), number=None)
        case _:
            return UNKNOWN
