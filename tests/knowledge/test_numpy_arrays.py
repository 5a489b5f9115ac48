"""Each function of the tables, called: the shape and the dtype of what numpy makes."""

from __future__ import annotations

from typing import Any

import pytest

from pipelint.knowledge.numpy_arrays import (
    ADDS_AN_AXIS,
    AXES,
    COUNTS,
    EVENLY_SPACED,
    ITEM_BYTES,
    KEEPS_DTYPE,
    METHODS_THAT_KEEP_FLOATS,
    OF_A_LIST,
    PYTHON_TYPES,
    SHAPE_AS_SIZE,
    SHAPE_FIRST,
    TENSOR_SHAPE_FIRST,
)
from tests.knowledge.installed import np, resolve


def check(made: Any, dtype: str | None) -> None:
    assert made.shape == (2, 3)
    assert made.dtype == (dtype or "float64")


@pytest.mark.parametrize(("name", "dtype"), SHAPE_FIRST.items())
def test_the_first_argument_is_the_shape(name: str, dtype: str | None) -> None:
    check(resolve(name)((2, 3), *((1.5,) if name == "numpy.full" else ())), dtype)


@pytest.mark.parametrize("name", sorted(TENSOR_SHAPE_FIRST))
def test_the_first_argument_is_the_shape_of_a_tensor(name: str) -> None:
    assert resolve(name)((2, 3)).shape == (2, 3)


@pytest.mark.parametrize("name", sorted(OF_A_LIST))
def test_a_list_is_made_an_array(name: str) -> None:
    assert resolve(name)([[1, 2, 3], [4, 5, 6]]).shape == (2, 3)


@pytest.mark.parametrize("name", sorted(COUNTS))
def test_it_counts_as_range_does(name: str) -> None:
    assert [len(resolve(name)(*bounds)) for bounds in ((7,), (2, 7), (2, 7, 3))] == [7, 5, 2]


@pytest.mark.parametrize(("name", "by_default"), EVENLY_SPACED.items())
def test_the_third_argument_is_how_many(name: str, by_default: int | None) -> None:
    assert len(resolve(name)(0.0, 1.0, 7)) == len(resolve(name)(0.0, 1.0, num=7)) == 7
    if by_default is not None:
        assert len(resolve(name)(0.0, 1.0)) == by_default


@pytest.mark.parametrize("name", sorted(ADDS_AN_AXIS))
def test_an_axis_is_added_in_front(name: str) -> None:
    assert resolve(name)([1, 2, 3], 0).shape == resolve(name)([1, 2, 3], axis=0).shape == (1, 3)


@pytest.mark.parametrize(("name", "dtype"), AXES.items())
def test_each_argument_is_an_axis(name: str, dtype: str) -> None:
    check(resolve(name)(2, 3), dtype)


@pytest.mark.parametrize(("name", "place", "dtype"), [(name, *row) for name, row in SHAPE_AS_SIZE.items()])
def test_size_is_the_shape(name: str, place: int, dtype: str) -> None:
    owner, _, last = name.rpartition(".")
    drawing = np.random.default_rng(1) if owner == "numpy.random.Generator" else resolve(owner)
    needed = (9,) if last in ("randint", "integers") else ()
    check(getattr(drawing, last)(*needed, size=(2, 3)), dtype)
    check(getattr(drawing, last)(*(1, 9)[:place], (2, 3)), dtype)


@pytest.mark.parametrize(("name", "dtype"), PYTHON_TYPES.items())
def test_a_type_of_python_stands_for_a_dtype(name: str, dtype: str) -> None:
    assert np.dtype(resolve(name)) == dtype


@pytest.mark.parametrize(("dtype", "size"), ITEM_BYTES.items())
def test_an_item_takes_so_many_bytes(dtype: str, size: int) -> None:
    assert np.dtype(dtype).itemsize == size


@pytest.mark.parametrize("name", sorted(KEEPS_DTYPE))
@pytest.mark.parametrize("dtype", ["float32", "int16"])
def test_the_dtype_is_kept(name: str, dtype: str) -> None:
    array = np.ones((1, 2), dtype)
    more = {"numpy.clip": (0, 1), "numpy.expand_dims": (0,), "numpy.reshape": ((2, 1),)}.get(name, ())
    assert resolve(name)(array, *more).dtype == dtype
    if not more:
        assert resolve(name)([array, array]).dtype == dtype


@pytest.mark.parametrize("name", sorted(METHODS_THAT_KEEP_FLOATS))
def test_floats_stay_as_precise(name: str) -> None:
    more = {"clip": (0, 1), "repeat": (2,), "swapaxes": (0, 1)}.get(name, ())
    assert getattr(np.ones((1, 2), "float32"), name)(*more).dtype == "float32"


@pytest.mark.parametrize("dtype", ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"])
def test_integers_that_are_divided_by_a_number_become_float64(dtype: str) -> None:
    array = np.ones(2, dtype)
    assert (array / 255).dtype == (array / 255.0).dtype == "float64"
