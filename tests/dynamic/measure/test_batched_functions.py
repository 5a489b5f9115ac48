"""A function is given whole batches only where it treats every row as it treats an element."""

from __future__ import annotations

import contextlib
import os
from typing import Any

import pytest

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
pytest.importorskip("tensorflow", reason="functions need TensorFlow")

import numpy as np
import tensorflow as tf

from pipelint.dynamic.measure.batched_functions import give_the_same

plain = tf.autograph.experimental.do_not_convert
PICTURES = np.full((12, 4, 4), 255, np.uint8)
LABELS = np.arange(12) % 3
TABLE = np.arange(30, dtype=np.float32).reshape(10, 3)


def scaled(x: Any) -> Any:
    return tf.cast(x, tf.float32) / 255


ALIKE: dict[str, Any] = {
    "a scaling": lambda x, y: (scaled(x), y),
    "a part of each": lambda x, y: (x[..., :2], y),
    "rows of a table": lambda x, y: {"row": tf.gather(TABLE, y), "one hot": tf.one_hot(y, 3)},
    "a resize, which tells pictures from batches of them": lambda x, y: (tf.image.resize(x[..., None], (2, 2)), y),
    "texts": lambda x, y: tf.strings.as_string(y) + "!",
}
UNLIKE: dict[str, Any] = {
    "a reduction, alike for pictures that are alike": lambda x, y: (scaled(x) / tf.reduce_max(scaled(x)), y),
    "the first row": lambda x, y: (x[0], y),
    "another order of axes": lambda x, y: (tf.transpose(x), y),
    "two parts whose axes meet": lambda x, y: x * tf.cast(y, tf.uint8),
    "a constant": lambda x, y: tf.constant(1),
    "a shape that is written out": lambda x, y: (tf.reshape(x, [2, -1])[:, 0], y),
}


def same(function: Any) -> bool:
    rows = tf.data.Dataset.from_tensor_slices((PICTURES, LABELS))
    batches = rows.batch(6)
    on_batches, on_elements = (given.map(plain(function))._map_func.function for given in (batches, rows))
    return give_the_same(list(batches), [on_batches], [on_elements])


@pytest.mark.parametrize("function", ALIKE.values(), ids=ALIKE)
def test_what_treats_rows_one_by_one_is_given_batches(function: Any) -> None:
    assert same(function)


@pytest.mark.parametrize("function", UNLIKE.values(), ids=UNLIKE)
def test_what_gives_something_else_for_a_batch_is_not(function: Any) -> None:
    with contextlib.suppress(tf.errors.InvalidArgumentError, ValueError):  # which show it as well
        assert not same(function)


def test_functions_are_taken_one_behind_the_other() -> None:
    rows = tf.data.Dataset.from_tensor_slices(TABLE)
    double, add_up, add_rows = (
        plain(each) for each in (lambda x: 2 * x, lambda x: tf.reduce_sum(x, -1), tf.reduce_sum)
    )

    def functions(given: Any, last: Any) -> list[Any]:
        doubled = given.map(double)
        return [doubled._map_func.function, doubled.map(last)._map_func.function]

    batches = list(rows.batch(5))
    assert give_the_same(batches, functions(rows.batch(5), add_up), functions(rows, add_up))
    assert not give_the_same(batches, functions(rows.batch(5), add_rows), functions(rows, add_rows))
