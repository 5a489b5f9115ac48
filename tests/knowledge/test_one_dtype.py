"""Each function of the tables, called with an array of another dtype: eagerly it runs, in a graph it raises."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from pipelint.knowledge.one_dtype import (
    FLOATX,
    OF_A_LIST,
    OF_INDICES,
    OF_TWO,
    OF_VALUES,
    ONLY_OF_ARRAYS,
    SETS_FLOATX,
    TO_A_DTYPE,
)
from tests.knowledge.installed import keras, np, resolve, tf

WHOLE = np.array([1, 2])
DOUBLE = np.array([1.0, 2.0])
SINGLE = np.array([1.0, 2.0], "float32")
REFUSALS = (AttributeError, NotImplementedError, TypeError, ValueError)


def only_eager(function: Callable[[Any], Any], array: Any) -> None:
    function(array)
    with pytest.raises(REFUSALS):
        tf.function(function)(array)


@pytest.mark.parametrize("name", sorted(OF_TWO))
@pytest.mark.parametrize("array", [WHOLE, DOUBLE], ids=["int64", "float64"])
def test_two_tensors_have_one_dtype(name: str, array: Any) -> None:
    only_eager(lambda given: resolve(name)(tf.constant([1.0, 2.0]), given), array)
    tf.function(lambda given: resolve(name)(tf.constant([1.0, 2.0]), given))(SINGLE)


@pytest.mark.parametrize("name", sorted(OF_A_LIST))
def test_the_tensors_of_a_list_have_one_dtype(name: str) -> None:
    only_eager(lambda given: resolve(name)([tf.constant([1.0, 2.0]), given], 0), DOUBLE)
    tf.function(lambda given: resolve(name)([tf.constant([1.0, 2.0]), given], 0))(SINGLE)


@pytest.mark.parametrize("operate", [lambda a, b: a - b, lambda a, b: a * b, lambda a, b: a > b])
def test_so_have_those_of_an_operator(operate: Callable[[Any, Any], Any]) -> None:
    only_eager(lambda given: operate(tf.constant([1.0, 2.0]), given), WHOLE)
    only_eager(lambda given: operate(1 - given, tf.constant([1.0, 2.0])), WHOLE)


@pytest.mark.parametrize("name", sorted(TO_A_DTYPE))
def test_another_dtype_than_asked_for(name: str) -> None:
    only_eager(lambda given: resolve(name)(given, tf.float32), DOUBLE)
    tf.function(lambda given: resolve(name)(given, tf.float32))(SINGLE)
    tf.function(resolve(name))(DOUBLE)


@pytest.mark.parametrize("name", sorted(OF_VALUES))
def test_what_takes_no_tensor_of_a_graph(name: str) -> None:
    only_eager(resolve(name), SINGLE)


@pytest.mark.parametrize(("name", "position"), OF_INDICES.items())
def test_indices_are_whole_numbers(name: str, position: int) -> None:
    assert position == 0
    only_eager(lambda given: resolve(name)(given, 4), DOUBLE)
    tf.function(lambda given: resolve(name)(given, 4))(WHOLE)


@pytest.mark.parametrize("name", sorted(ONLY_OF_ARRAYS))
def test_methods_that_arrays_have_and_tensors_have_not(name: str) -> None:
    assert callable(getattr(WHOLE, name))
    with pytest.raises(AttributeError):
        tf.function(lambda given: getattr(given, name))(WHOLE)


def test_keras_casts_what_it_is_given() -> None:
    dense = keras.layers.Dense(1)
    tf.function(dense)(DOUBLE[None])
    tf.function(lambda given: keras.losses.MeanSquaredError()(given, tf.ones((1, 2))))(WHOLE[None])


def test_the_dtype_of_weights() -> None:
    assert keras.config.floatx() == FLOATX
    assert all(callable(resolve(name)) for name in SETS_FLOATX)
