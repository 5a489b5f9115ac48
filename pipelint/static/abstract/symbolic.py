"""Which values are, or may turn out to be, tensors that have no value while TensorFlow records a graph."""

from __future__ import annotations

from collections.abc import Iterator

from pipelint.model.values import Value
from pipelint.static.abstract.traced_values import Formatted, Undecided
from pipelint.static.abstract.values import Choice, Sequence, Table, alternatives, is_symbolic


def undecided_in(*values: Value) -> Iterator[Undecided]:
    """What the values are or hold of which only their use tells whether it is a tensor."""
    for value in values:
        match value:
            case Undecided():
                yield value
            case Sequence(items=items) | Formatted(values=items):
                yield from undecided_in(*items)
            case Table(items=items):
                yield from undecided_in(*(item for _, item in items))
            case Choice():
                yield from undecided_in(*(option for _, option in alternatives(value)))


def may_be_symbolic(value: Value) -> bool:
    """Whether the value is or holds such a tensor, or something that may be one."""
    return is_symbolic(value) or any(undecided_in(value))


def shows_tensor(value: Value) -> bool:
    """Whether the value is a text that a tensor was written into."""
    return isinstance(value, Formatted) and any(is_symbolic(part) or shows_tensor(part) for part in value.values)
