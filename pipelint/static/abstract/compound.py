"""Values that are made of others."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

from pipelint.model.values import Value


class Compound(Value):
    """A value with parts. They are shared: one value may be a part many times over."""

    @property
    def parts(self) -> Iterable[Value]:
        """What it is made of."""
        raise NotImplementedError

    @cached_property
    def extent(self) -> tuple[int, int]:
        """How many parts it has at all depths, shared ones each time and itself included, and how deep they nest."""
        inner = [extent(part) for part in self.parts]
        return 1 + sum(count for count, _ in inner), 1 + max((depth for _, depth in inner), default=0)


def extent(value: Value) -> tuple[int, int]:
    """The same for any value."""
    return value.extent if isinstance(value, Compound) else (1, 1)
