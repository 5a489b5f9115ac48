"""What is known of numpy arrays: the shape and the dtype that the call which makes one tells."""

from __future__ import annotations

from pipelint.knowledge.numpy_arrays import AXES, PYTHON_TYPES, SHAPE_AS_SIZE, SHAPE_FIRST
from pipelint.model.values import Array, Literal, Symbol, Value
from pipelint.static.abstract.values import Arguments, Foreign, Sequence


def made_by(function: str, given: Arguments) -> Array | None:
    """The array that a function of numpy makes; None where nothing is known of it."""
    if function in SHAPE_FIRST:
        first = given.get(0, "shape") or given.get(0, "size")
        return _array(_shape(first), given, SHAPE_FIRST[function])
    if function in AXES:
        return _array(_shape(Sequence(tuple(item.value for item in given.positional))), given, AXES[function])
    if function in SHAPE_AS_SIZE and "size" in given.keywords:
        return _array(_shape(given.keywords["size"].value), given, SHAPE_AS_SIZE[function])
    return None


def after_method(receiver: Foreign, method: str, given: Arguments) -> Foreign:
    """What a method of an array gives: `astype` another dtype, `reshape` another shape, others who knows what."""
    if receiver.array is None:
        return receiver
    match method:
        case "astype":
            made = Array(receiver.array.shape, _dtype(given.get(0, "dtype")))
        case "reshape":
            values = tuple(item.value for item in given.positional)
            made = Array(_shape(values[0] if len(values) == 1 else Sequence(values)), receiver.array.dtype)
        case "copy":
            made = receiver.array
        case _:
            return Foreign(receiver.library)
    return Foreign(receiver.library, made)


def _array(shape: tuple[int | None, ...] | None, given: Arguments, default: str | None) -> Array:
    asked = given.keywords.get("dtype")
    return Array(shape, _dtype(asked.value) if asked is not None else default)


def _shape(value: Value | None) -> tuple[int | None, ...] | None:
    match value:
        case Literal(value=int() as length):
            return (length,)
        case Sequence(items=items, open_ended=False):
            return tuple(_length(item) for item in items)
        case _:
            return None


def _length(value: Value) -> int | None:
    match value:
        case Literal(value=int() as length, assumed=False) if length >= 0:
            return length
        case _:
            return None


def _dtype(value: Value | None) -> str | None:
    match value:
        case Literal(value=str() as name):
            return name
        case Symbol(name=name) if name in PYTHON_TYPES:
            return PYTHON_TYPES[name]
        case Symbol(name=name) if name.startswith(("numpy.", "tensorflow.")):
            return name.rpartition(".")[2]
        case _:
            return None
