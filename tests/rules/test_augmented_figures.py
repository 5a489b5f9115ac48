"""PIPE408 by running it: the figures of one model on the same data, with an augmentation over it and without."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.knowledge.installed import keras, np, tf

IMAGES = np.arange(32 * 4 * 4 * 3, dtype="float32").reshape((32, 4, 4, 3)) % 7
flip = keras.layers.RandomFlip()


def figures(function: Callable[[Any], Any]) -> set[float]:
    """What several evaluations of a model that looks at the corner of an image give."""
    model = keras.Sequential([keras.Input((4, 4, 3)), keras.layers.Lambda(lambda image: image[:, 0, 0, :1])])
    model.compile(loss="mse")
    data = tf.data.Dataset.from_tensor_slices(IMAGES).map(lambda image: (function(image), 0.0)).batch(8)
    return {model.evaluate(data, verbose=0) for _ in range(4)}


AUGMENTED = {
    "an operation": tf.image.random_flip_left_right,
    "a draw": lambda image: tf.cond(tf.random.uniform(()) > 0.5, lambda: tf.image.rot90(image), lambda: image),
    "a layer, which augments in a map": flip,
}


@pytest.mark.parametrize("function", AUGMENTED.values(), ids=AUGMENTED)
def test_an_augmentation_changes_the_figures_from_one_evaluation_to_the_next(function: Callable[[Any], Any]) -> None:
    assert len(figures(function)) > 1


@pytest.mark.parametrize(
    "function",
    [lambda image: image, lambda image: flip(image, training=False)],
    ids=["the data as it is", "a layer that is told not to"],
)
def test_without_it_they_stay(function: Callable[[Any], Any]) -> None:
    assert len(figures(function)) == 1
