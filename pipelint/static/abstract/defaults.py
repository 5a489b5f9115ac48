"""Values that stand until somebody gives another."""

from __future__ import annotations

from dataclasses import dataclass, replace

from pipelint.model.values import Literal, Value


@dataclass(frozen=True)
class Field(Value):
    """What `dataclasses.field(...)` gives: how each object of the class gets a value of its own."""

    default: Value
    factory: Value | None = None


@dataclass(frozen=True)
class Macro(Value):
    """What stands in a file of settings for a value that the same or another file gives: `%BATCH_SIZE`."""

    name: str


def by_default(value: Value) -> Value:
    """The value where it is only a default, which a caller, the command line or a file of settings may override."""
    return replace(value, assumed=True) if isinstance(value, Literal) else value
