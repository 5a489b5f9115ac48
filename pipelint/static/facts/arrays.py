"""What is known of arrays and tensors: the shape and the dtype that the call which makes one tells."""

from __future__ import annotations

import ast
import collections.abc
from collections.abc import Iterator, Mapping
from dataclasses import replace
from math import ceil, prod

from pipelint.knowledge.data_sets import (
    DTYPES,
    LEAVES_OUT,
    MADE_UP,
    NAMED_PARTS,
    SHARE_OF_TESTS,
    SIZES,
    SPLITS,
    loaded_examples,
)
from pipelint.knowledge.numpy_arrays import (
    ADDS_AN_AXIS,
    AXES,
    COUNTS,
    EVENLY_SPACED,
    ITEM_BYTES,
    JOINS,
    KEEPS_DTYPE,
    METHODS_THAT_KEEP_FLOATS,
    OF_A_LIST,
    PYTHON_TYPES,
    RESHAPES,
    SHAPE_AS_SIZE,
    SHAPE_FIRST,
    TENSOR_SHAPE_FIRST,
)
from pipelint.model.values import Array, Literal, Symbol, Value
from pipelint.static.abstract.values import Arguments, Foreign, Given, Sequence, Table, Tensor

_NEW_AXIS = (Literal(None), Symbol("numpy.newaxis"), Symbol("tensorflow.newaxis"))


def made_by(function: str, given: Arguments) -> Array | None:
    """The array that a function of numpy makes; None where nothing is known of it."""
    if function in SHAPE_FIRST:
        first = given.get(0, "shape") or given.get(0, "size")
        return _array(_shape(first), given, SHAPE_FIRST[function])
    if function in AXES:
        return _array(_shape(Sequence(tuple(item.value for item in given.positional))), given, AXES[function])
    if function in SHAPE_AS_SIZE:
        place, dtype = SHAPE_AS_SIZE[function]
        size = given.get(place, "size")
        return _array(_shape(size), given, dtype) if size is not None else None
    length, kept = _rows_made_by(function, given), _dtype_made_by(function, given)
    return Array((length, None) if length is not None else None, kept) if length is not None or kept else None


def _dtype_made_by(function: str, given: Arguments) -> str | None:
    """The dtype that a function of numpy is asked for, or keeps; None where that is not known."""
    if function.removeprefix("numpy.") in ITEM_BYTES:
        return function.removeprefix("numpy.")
    if function not in KEEPS_DTYPE or not given.positional:
        return None
    asked = given.get(1, "dtype") if function in OF_A_LIST else given.keywords.get("dtype")
    if asked is not None:
        return dtype_of(asked.value if isinstance(asked, Given) else asked)
    first = given.positional[0].value
    parts = first.items if isinstance(first, Sequence) else (first,)
    dtypes = {part.array.dtype if isinstance(part, Foreign) and part.array is not None else None for part in parts}
    return dtypes.pop() if len(dtypes) == 1 else None


def tensor_made_by(function: str, given: Arguments) -> Tensor:
    """The tensor that a function of TensorFlow makes outside of traced code."""
    if function in TENSOR_SHAPE_FIRST:
        shape = _shape(given.get(0, "shape"))
        return Tensor(eager=True, rows=shape[0] if shape else None)
    return Tensor(eager=True, rows=_rows_made_by(function, given))


def _rows_made_by(function: str, given: Arguments) -> int | None:
    if function in ADDS_AN_AXIS:
        return 1 if given.get(1, "axis") == Literal(0) else None
    if function in RESHAPES:
        # A method of the same name takes the lengths one by one.
        asked = given.get(1, "newshape") or given.get(1, "shape")
        shape = _shape(asked) if isinstance(asked, Sequence) else None
        return shape[0] if shape else None
    if function in JOINS:
        return _rows_of_joined(given.get(0, "values"), given.get(1, "axis") or Literal(0))
    if function in COUNTS:
        return _count(given.positional)
    if function in EVENLY_SPACED:
        return _length(given.get(2, "num") or Literal(EVENLY_SPACED[function]))
    return rows(given.positional[0].value) if function in OF_A_LIST and given.positional else None


def _rows_of_joined(parts: Value | None, axis: Value) -> int | None:
    """The rows of arrays that are put together: those of all below one another, or of any beside another."""
    if not isinstance(parts, Sequence) or parts.open_ended or not isinstance(axis, Literal):
        return None
    lengths = [rows(part) for part in parts.items]
    known = [length for length in lengths if length is not None]
    if axis == Literal(0):
        return sum(known) if known and len(known) == len(lengths) else None
    return known[0] if known and axis != Literal(-1) else None


def made_up(function: str, given: Arguments) -> Sequence | None:
    """What scikit-learn makes up or splits: arrays in a tuple; None for other functions, and where nothing is known."""
    if function in MADE_UP:
        made = given.get(0, "n_samples") or Literal(MADE_UP[function])
        return Sequence((_rows_of(_length(made), None), _rows_of(_length(made))))
    whole = [rows(item.value) for item in given.positional] if function == SPLITS else []
    if not whole or None in whole or "train_size" in given.keywords:
        return None
    share = given.keywords["test_size"].value if "test_size" in given.keywords else Literal(SHARE_OF_TESTS)
    return Sequence(tuple(part for length in whole for part in _parts(length or 0, share)))


def of_data_set(function: str, given: Arguments) -> Sequence | None:
    """The arrays of a data set of Keras, two to train with and two to test with; None where it is none of these."""
    if function not in SIZES or len(given.positional) > 1 or any(name in given.keywords for name in LEAVES_OUT):
        return None
    lengths, example, label = SIZES[function]
    dtype = DTYPES.get(function)
    return Sequence(
        tuple(Sequence((_rows_of(rows, *example, dtype=dtype), _rows_of(rows, *label))) for rows in lengths)
    )


def _parts(length: int, share: Value) -> tuple[Foreign, Foreign]:
    """The rows to train with and those to test with."""
    match share:
        case Literal(value=float() as part):
            kept = ceil(length * part)
        case Literal(value=int() as kept):
            pass
        case _:
            return _rows_of(None), _rows_of(None)
    return _rows_of(length - kept, None), _rows_of(kept, None)


def _rows_of(length: int | None, *axes: int | None, dtype: str | None = None) -> Foreign:
    return Foreign("numpy", Array((length, *axes), dtype) if length is not None else None)


def _count(bounds: collections.abc.Sequence[Given]) -> int | None:
    """How many numbers a function gives that takes what `range` takes."""
    numbers = [number for bound in bounds if (number := _whole(bound.value)) is not None]
    known = 0 < len(numbers) == len(bounds) <= 3 and 0 not in numbers[2:]
    return len(range(*numbers)) if known else None


def _whole(bound: Value) -> int | None:
    """The integer that a bound is, also where it is written as `10.0`."""
    match bound:
        case Literal(value=float() as number) if number.is_integer():
            return int(number)
        case _:
            return _length(bound)


def rows(value: Value) -> int | None:
    """How many elements `from_tensor_slices` makes of a value; None where that is not known."""
    match value:
        case Tensor(rows=int() as length) | Foreign(array=Array(shape=(int() as length, *_))):
            return length
        case Foreign(library="builtins.range", turns=length):
            return length
        case Sequence(items=items, display="list", open_ended=False):
            return len(items) or None
        case Sequence(items=parts, display="tuple", open_ended=False):
            return next((length for length in map(rows, parts) if length is not None), None)
        case Table(items=items):
            return next((length for length in (rows(part) for _, part in items) if length is not None), None)
        case _:
            return None


def elements(source: str, given: Mapping[str, Given]) -> int | None:
    """How many elements a source of a dataset gives; None where that is not known."""
    if source == "from_tensors":
        return 1
    if source == "from_tensor_slices" and "tensors" in given:
        return rows(given["tensors"].value)
    if source == "load":
        return _loaded(given)
    return _count([given[name] for name in ("start", "stop", "step") if name in given]) if source == "range" else None


def _loaded(given: Mapping[str, Given]) -> int | None:
    match [given[key].value for key in ("name", "split", "batch_size") if key in given]:
        case [Literal(value=data_set), Literal(value=split)] if "batch_size" not in given:
            return loaded_examples(data_set, split)
        case [Literal(value=data_set), Symbol(name=split)] if "batch_size" not in given:
            return loaded_examples(data_set, NAMED_PARTS.get(split))
        case _:
            return None


def bytes_of_element(source: str, given: Mapping[str, Given]) -> int | None:
    """How much memory an element takes that is sliced out of arrays, where the shapes of all of them are written."""
    return _bytes_of_row(given["tensors"].value) if source == "from_tensor_slices" and "tensors" in given else None


def _bytes_of_row(value: Value) -> int | None:
    match value:
        case Foreign(array=Array(shape=(_, *rest), dtype=dtype)):
            return Array(tuple(rest), dtype).bytes
        case Sequence(display="tuple", open_ended=False) | Table():
            parts = [_bytes_of_row(part) for part in value.parts]
            return sum(part for part in parts if part is not None) if None not in parts else None
        case _:
            return None


def fed(source: str, given: Mapping[str, Given]) -> Iterator[Given]:
    """The arrays that a source of a dataset is given as they are written, those in a tuple or dict one by one."""
    if source in ("from_tensor_slices", "from_tensors") and "tensors" in given:
        yield from _arrays_in(given["tensors"])


def _arrays_in(item: Given) -> Iterator[Given]:
    match item.value, item.node:
        case Foreign(array=Array()), _ if hasattr(item.node, "lineno"):
            yield item
        case Sequence(items=values), (ast.Tuple(elts=nodes) | ast.List(elts=nodes)) if len(values) == len(nodes):
            for value, node in zip(values, nodes, strict=True):
                yield from _arrays_in(Given(value, node))
        case Table(items=items), ast.Dict(values=nodes) if len(items) == len(nodes):
            for (_, value), node in zip(items, nodes, strict=True):
                yield from _arrays_in(Given(value, node))


def part_of(value: Value, index: Value | None = None) -> Value:
    """What an index or a method gives of a tensor or an array: another one, of another shape."""
    first = index.items[0] if isinstance(index, Sequence) and index.items else index
    adds_axis = first in _NEW_AXIS
    if first == Literal(...) and isinstance(index, Sequence) and all(item in _NEW_AXIS for item in index.items[1:]):
        return _with_more_axes(value)
    match value:
        case Tensor() if adds_axis:
            return replace(value, rows=1)
        case Foreign(array=array) if adds_axis:
            return replace(value, array=Array((1, None), array.dtype if array is not None else None))
        case Tensor(rows=int()):
            return replace(value, rows=None)
        case Foreign(array=Array(dtype=dtype)):
            return replace(value, array=_of(dtype))
        case _:
            return value


def rows_of(value: Foreign, most: int | None) -> Foreign:
    """What a slice gives of an array: some of its rows, so many at most, each as it was."""
    match value.array:
        case Array(shape=(rows, *axes)) as array:
            # Of an array of any length a slice may be all.
            known = min(rows, most) if rows is not None and most is not None else None
            return replace(value, array=replace(array, shape=(known, *axes)))
        case _:
            return value


def _with_more_axes(value: Value) -> Value:
    """An array with axes added at its end: `x[..., None]`."""
    match value:
        case Foreign(array=Array(shape=(_, *_) as shape) as array):
            return replace(value, array=replace(array, shape=(*shape, 1)))
        case _:
            return value


def after_method(receiver: Foreign, method: str, given: Arguments) -> Foreign:
    """What a method of an array gives: `astype` another dtype, `reshape` another shape, others who knows what."""
    known = receiver.array or Array()
    made: Array | None
    match method:
        case "astype" if receiver.library == "numpy":
            made = Array(known.shape, dtype_of(given.get(0, "dtype")))
        case "reshape" if receiver.array is not None:
            values = tuple(item.value for item in given.positional)
            made = Array(_reshaped(known.shape, values[0] if len(values) == 1 else Sequence(values)), known.dtype)
        case "copy":
            made = receiver.array
        case _ if receiver.array is None:
            return receiver
        case _:
            made = _of(known.dtype) if method in METHODS_THAT_KEEP_FLOATS and _is_float(known.dtype) else None
    return Foreign(receiver.library, made)


def _of(dtype: str | None) -> Array | None:
    """An array of which no more than its dtype is known."""
    return Array(dtype=dtype) if dtype is not None else None


def _is_float(dtype: str | None) -> bool:
    return dtype is not None and dtype.startswith("float")


def quotient(array: Foreign, divisor: Value) -> Foreign:
    """What an array gives that is divided: integers become float64 by a number."""
    given = mixed(array, divisor)
    whole = array.array is not None and (array.array.dtype or "").startswith(("int", "uint"))
    if given.array is None or not whole or not isinstance(divisor, Literal):
        return given
    return replace(given, array=replace(given.array, dtype="float64"))


def mixed(left: Foreign, right: Value) -> Foreign:
    """What arithmetic with an array gives: a float stays what it is with a number, and with its like."""
    if left.array is None or left.array.dtype is None:
        return left
    same = isinstance(right, Foreign) and right.array is not None and right.array.dtype == left.array.dtype
    keeps = _is_float(left.array.dtype) and (same or isinstance(right, Literal))
    return left if keeps else replace(left, array=replace(left.array, dtype=None))


def _array(shape: tuple[int | None, ...] | None, given: Arguments, default: str | None) -> Array:
    asked = given.keywords.get("dtype")
    return Array(shape, dtype_of(asked.value) if asked is not None else default)


def _shape(value: Value | None) -> tuple[int | None, ...] | None:
    match value:
        case Literal(value=int() as length):
            return (length,)
        case Sequence(items=items, open_ended=False):
            return tuple(_length(item) for item in items)
        case _:
            return None


def _reshaped(old: tuple[int | None, ...] | None, value: Value) -> tuple[int | None, ...] | None:
    """The shape that `reshape` is asked for, with -1 for what is left."""
    new = _shape(value)
    left = [item == Literal(-1) for item in value.items] if isinstance(value, Sequence) else [value == Literal(-1)]
    if old is None or new is None or left.count(True) != 1 or [length is None for length in new] != left:
        return new
    numbers = [length for length in old if length is not None]
    others = prod(length for length in new if length is not None)
    rest = prod(numbers) // others if len(numbers) == len(old) and others else None
    return tuple(rest if length is None else length for length in new)


def _length(value: Value) -> int | None:
    match value:
        case Literal(value=int() as length, assumed=False) if length >= 0:
            return length
        case _:
            return None


def dtype_of(value: Value | None) -> str | None:
    """The dtype that an argument names."""
    match value:
        case Literal(value=str() as name):
            return PYTHON_TYPES.get(f"builtins.{name}", name)
        case Symbol(name=name) if name in PYTHON_TYPES:
            return PYTHON_TYPES[name]
        case Symbol(name=name) if name.startswith(("numpy.", "tensorflow.")):
            return name.rpartition(".")[2]
        case _:
            return None
