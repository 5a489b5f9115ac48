"""Calls of what Keras 3, or the TensorFlow that comes with it, no longer has."""

from __future__ import annotations

from typing import NamedTuple

from pipelint.rule import (
    LEARNING_RATE,
    REMOVED_METHODS,
    RENAMED_METHODS,
    TAKES_NO_WORKERS,
    WORKER_ARGUMENTS,
    Call,
    Location,
    Method,
    Program,
    Reference,
    Region,
    Symbol,
)

from ._keras_3 import KERAS_3


class Removed(NamedTuple):
    """A use of what is gone."""

    place: Location
    message: str
    renamed: Reference | None = None
    """The method as it is written, where it has another name now."""


def removed_by(program: Program, call: Call) -> Removed | None:
    """What a call uses that is gone; None where it uses nothing such."""
    name = call.last_name
    match call.callee:
        case Method() if name in RENAMED_METHODS:
            message = f"{name} is called {RENAMED_METHODS[name]} since TensorFlow 2.2, and is gone"
            return Removed(call.name, message, Reference(name, Region(call.region.start, call.name.end)))
        case Method(owner=Symbol(name="keras.Model") as owner) | Method(owner=None as owner):
            # Models of other libraries have these methods too, but none for generators, queues and processes.
            if name in REMOVED_METHODS and (owner is not None or name.endswith("_generator")):
                return Removed(call.name, f"{KERAS_3} has no {name}: {REMOVED_METHODS[name]}")
            if name in TAKES_NO_WORKERS and (owner is not None or call.keywords.keys() & set(WORKER_ARGUMENTS[1:])):
                return _argument(program, call)
        case Symbol(name=symbol) if symbol.startswith("keras.optimizers.") and LEARNING_RATE in call.keywords:
            place = call.keywords[LEARNING_RATE].region
            return Removed(place, f"optimizers of {KERAS_3} take `learning_rate`, and raise an error for `lr`")
    return None


def _argument(program: Program, call: Call) -> Removed | None:
    given = [name for name in WORKER_ARGUMENTS if name in call.keywords]
    if given:
        names = " and ".join(f"`{name}`" for name in given)
        message = f"{call.last_name} of {KERAS_3} takes no {names}: these are for the PyDataset that it is given"
        return Removed(call.keywords[given[0]].region, message)
    split = call.keywords.get("validation_split") if call.last_name == "fit" else None
    if split is None or not program.takes_dataset(call):
        return None
    return Removed(split.region, "`validation_split` raises an error for a dataset: split that by take and skip")
