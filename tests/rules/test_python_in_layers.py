"""PIPE605 by running it: which layers learn when one behind them leaves the graph."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.knowledge.installed import keras, np, tf

SINES: dict[str, tuple[Callable[[Any], Any], bool]] = {
    "in the graph": (tf.sin, True),
    "by py_function": (lambda x: tf.py_function(tf.sin, [x], tf.float32), True),
    "by numpy_function": (lambda x: tf.numpy_function(np.sin, [x], tf.float32), False),
}


@pytest.mark.parametrize(("sine", "learns"), SINES.values(), ids=SINES)
def test_the_layer_before_learns(sine: Callable[[Any], Any], learns: bool) -> None:
    x = tf.ones((4, 2))
    layer = keras.layers.Dense(3)
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(sine(layer(x)))
    assert (tape.gradient(loss, layer.kernel.value) is not None) == learns
