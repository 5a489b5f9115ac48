"""What live datasets were given: arguments and options, as plain constants, and what functions close over."""

from __future__ import annotations

from contextlib import suppress
from enum import Enum
from types import FunctionType
from typing import Any

Constant = bool | int | float | str | None
"""The value of an argument; -1 stands for AUTOTUNE where a number of calls or elements is meant."""


def constant(value: object) -> Constant:
    """A number, text or truth value, also out of numpy or a tensor whose value is known; None for all else."""
    if isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, bytes):
        return value.decode(errors="replace")
    if isinstance(value, Enum):
        return value.name
    if getattr(value, "shape", None) == ():
        return _scalar(value)
    return None


def _scalar(value: Any) -> Constant:
    import tensorflow as tf

    known = tf.get_static_value(value) if tf.is_tensor(value) else value
    # What has a shape and no item, such as a TensorSpec, describes a scalar and is none.
    return constant(known.item()) if hasattr(known, "item") else None


def closure_of(function: FunctionType) -> dict[str, Any]:
    """What a function holds of the functions around it, those variables left out that have no value."""
    found = {}
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        with suppress(ValueError):
            found[name] = cell.cell_contents
    return found


def options_set(options: Any, prefix: str = "") -> dict[str, Constant]:
    """What differs from the defaults in a `tf.data.Options`, by dotted name."""
    found: dict[str, Constant] = {}
    fresh = type(options)()
    for name in options._options:
        value = getattr(options, name)
        if hasattr(value, "_options"):
            found |= options_set(value, f"{prefix}{name}.")
        elif value != getattr(fresh, name):
            found[prefix + name] = constant(value)
    return found
