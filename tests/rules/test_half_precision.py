"""PIPE812 by running it: what float16 makes of probabilities and gradients, and what mends it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.knowledge.installed import keras, np, tf

X, Y = np.array([[1.0, 0.0]], "float32"), np.array([1])


@pytest.fixture(autouse=True)
def mixed() -> Iterator[None]:
    """The policy, for one test alone: others run in the same process."""
    keras.mixed_precision.set_global_policy("mixed_float16")
    yield
    keras.mixed_precision.set_global_policy("float32")


def change_by_training(**arguments: Any) -> float:
    """By how much the weights of a model change that is surely wrong, in one step."""
    model = keras.Sequential([keras.Input((2,)), keras.layers.Dense(3, activation="softmax", **arguments)])
    before = np.array([[30.0, 0, 0], [0, 0, 0]])
    model.layers[0].set_weights([before, np.zeros(3)])
    model.compile("sgd", "sparse_categorical_crossentropy")
    model.fit(X, Y, verbose=0)
    return float(np.abs(model.layers[0].get_weights()[0] - before).max())


def test_a_softmax_in_float16_gives_no_gradient() -> None:
    assert change_by_training() == 0
    assert change_by_training(dtype="float32") > 0


def test_small_gradients_vanish_unless_the_loss_is_scaled() -> None:
    model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(4), keras.layers.Dense(1, dtype="float32")])
    optimizer = keras.mixed_precision.LossScaleOptimizer(keras.optimizers.SGD())
    optimizer.build(model.trainable_variables)

    def largest(scale: Any) -> float:
        with tf.GradientTape() as tape:
            loss = scale(tf.reduce_mean((model(np.full((1, 4), 1e-4, "float32")) - 1e-3) ** 2) * 1e-3)
        return float(tf.reduce_max(tf.abs(tape.gradient(loss, model.trainable_variables[0]))))

    assert largest(lambda loss: loss) == 0
    assert largest(optimizer.scale_loss) > 0


def test_fit_scales_the_loss_by_itself() -> None:
    model = keras.Sequential([keras.Input((2,)), keras.layers.Dense(1)])
    model.compile("sgd", "mse")
    assert isinstance(model.optimizer, keras.mixed_precision.LossScaleOptimizer)
