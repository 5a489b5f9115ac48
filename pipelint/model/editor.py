"""The words in which a rule asks for a repair; a front end renders them in the user's own spelling."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

from pipelint.model.finding import Edit, Region
from pipelint.model.values import Literal, Symbol

if TYPE_CHECKING:
    from pipelint.model.function import Operation
    from pipelint.model.pipeline import Dataset, Stage

Render = Callable[[], tuple[Edit, ...]]
Method = tuple[str, tuple[tuple[str, Region | Symbol | Literal], ...]]
"""A method's name and its arguments, each with a keyword (or none) and a value, or the place where it is written."""


class Editor(Protocol):
    """Turns a wish into text edits; an empty result means that the source cannot take it."""

    def set_argument(self, stage: Stage, name: str, value: Symbol | Literal) -> tuple[Edit, ...]:
        """Give the stage's call this argument, new or in place of the old."""

    def append(self, dataset: Dataset, op: str, value: Symbol | Literal) -> tuple[Edit, ...]:
        """Add a stage behind the last one, where the dataset is built, returned or consumed."""

    def move_after(self, stage: Stage, other: Stage, replacing: Mapping[str, Symbol | Literal]) -> tuple[Edit, ...]:
        """Take the stage out and put it right behind the other one, up or down, with some arguments changed."""

    def assign_back(self, stage: Stage) -> tuple[Edit, ...]:
        """Turn a bare `ds.shuffle(n)` into `ds = ds.shuffle(n)`."""

    def respell(self, region: Region, name: str, call: Region | None = None) -> tuple[Edit, ...]:
        """Replace an expression by another imported name, as this file would write it.

        Not where it is called and a method of the result follows, which the other result may not have.
        """

    def rename_attribute(self, region: Region, name: str) -> tuple[Edit, ...]:
        """Replace the last name of a dotted expression."""

    def import_from(self, region: Region, module: str) -> tuple[Edit, ...]:
        """Import the name at this place of a `from ... import` from another module."""

    def unapply(self, operation: Operation, methods: Sequence[Method]) -> tuple[Edit, ...]:
        """Turn `.apply(operation)` into these methods of the dataset."""

    def remove_statement(self, operation: Operation) -> tuple[Edit, ...]:
        """Delete the statement that is nothing but this call."""

    def remove_argument(self, operation: Operation, name: str) -> tuple[Edit, ...]:
        """Delete a keyword argument of the call."""

    def decorate(self, function: str, name: str) -> tuple[Edit, ...]:
        """Put a decorator on the function of this name."""
