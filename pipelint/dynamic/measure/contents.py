"""What a pipeline gives, in a form that two runs can be compared by."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple


class Row(NamedTuple):
    """One example, however it was batched."""

    digest: int
    """Of all its bytes."""
    exact: int
    """Of the bytes that are no numbers with a fraction."""
    weighted: float
    """The sum of its numbers with a fraction, each with a weight of its place."""
    scale: float
    """The sum of their sizes, by which a difference is judged."""


@dataclass(frozen=True)
class Contents:
    """The elements of one epoch, read without what only draws another order."""

    spec: str
    """Of the elements as the consumer gets them."""
    cardinality: int
    """As TensorFlow tells it, below 0 where there is no end or nobody knows."""
    rows: tuple[Row, ...] = ()
    batches: tuple[int, ...] = ()
    """How many rows each element had."""
    complete: bool = False
    """Whether all of the epoch was read."""
    repeats: bool = False
    """Whether a second pass gave the same rows."""
    reordered: bool = False
    """Whether a second pass gave them in another order."""
    random: str = ""
    """Why what comes behind some stage is left out: it draws random numbers."""
    shuffles: tuple[str, ...] = ()
    """What draws the order, stage by stage."""
    remainder: int = 0
    """How many rows at most a last batch may leave out."""
    unread: str = ""
    """Why nothing could be read."""

    def to_plain(self) -> dict[str, Any]:
        """The contents as data that JSON can hold."""
        return dict(vars(self))

    @classmethod
    def from_plain(cls, data: Mapping[str, Any]) -> Contents:
        """The contents that `to_plain` made this of."""
        rows = tuple(Row(*row) for row in data["rows"])
        return cls(**{**data, "rows": rows, "batches": tuple(data["batches"]), "shuffles": tuple(data["shuffles"])})
