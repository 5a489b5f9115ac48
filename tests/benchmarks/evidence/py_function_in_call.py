"""A small model with a layer that computes a sine, trained: in Python by numpy_function, and in the graph."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.benchmarks.evidence import Run, keras, np, tf

SIZE = 300
_BATCH = 32


def _in_python(x: Any) -> Any:
    bent = tf.numpy_function(np.sin, [x], tf.float32)
    bent.set_shape(x.shape)
    return bent


def _training(size: int, bend: Callable[[Any], Any]) -> Run:
    layer = type("Bend", (keras.layers.Layer,), {"call": lambda _, x: bend(x)})
    model = keras.Sequential([keras.Input((100,)), layer(), keras.layers.Dense(64), keras.layers.Dense(1)])
    model.compile("sgd", "mse")
    rows = np.random.default_rng(1).random((size * _BATCH, 100)).astype("float32")
    return lambda: model.fit(rows, rows[:, :1], batch_size=_BATCH, verbose=0)


def slow(size: int) -> Run:
    return _training(size, _in_python)


def fast(size: int) -> Run:
    return _training(size, tf.sin)
