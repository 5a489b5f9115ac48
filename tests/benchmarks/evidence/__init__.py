"""Pairs that show what a rule claims: each module builds a slow and a fast run of the same work.

`slow(size)` and `fast(size)` build all that is needed and return the run that is timed; SIZE makes the slow one take
about a second. The first paragraph of a module's docstring says what the two are; the documentation of the rule shows it.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from importlib import import_module
from typing import Any

Run = Callable[[], object]

# Typed as Any: the tree is checked where TensorFlow is not installed as well.
tf: Any = import_module("tensorflow")
keras: Any = import_module("keras")
np: Any = import_module("numpy")


def waiting(milliseconds: float) -> Callable[[Any], Any]:
    """A function to map that hands its tensor on after a wait, as for a disk, a network or a device."""

    def wait(value: Any) -> Any:
        time.sleep(milliseconds / 1000)
        return value

    def mapped(value: Any) -> Any:
        waited = tf.numpy_function(wait, [value], value.dtype)
        waited.set_shape(value.shape)
        return waited

    return mapped


def drain(dataset: Any) -> Run:
    """A run that takes all elements and does nothing with them."""

    def run() -> None:
        for _ in dataset:
            pass

    return run


def images(count: int) -> Any:
    """Photographs of a sort: 64 of them, over and over."""
    pixels = np.random.default_rng(1).integers(0, 256, (64, 96, 96, 3), dtype=np.uint8)
    return tf.data.Dataset.from_tensor_slices(pixels).repeat(-(-count // 64)).take(count)


def perceptron(inputs: int = 32) -> Any:
    """A small model, built."""
    layers = [keras.layers.Dense(64, activation="relu"), keras.layers.Dense(64, activation="relu")]
    return keras.Sequential([keras.Input((inputs,)), *layers, keras.layers.Dense(1)])
