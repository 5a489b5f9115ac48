"""PIPE406 by running it: in which order `fit` goes through a dataset, and through arrays."""

from __future__ import annotations

from typing import Any

import pytest

from tests.knowledge.installed import keras, np, tf

EXAMPLES = 64
EPOCHS = 3


def orders(data: Any, **arguments: Any) -> set[tuple[float, ...]]:
    """The orders in which a model sees its examples, epoch by epoch."""
    seen: list[float] = []

    def train_step(model: Any, batch: Any) -> dict[str, Any]:
        seen.extend(batch.numpy().tolist())
        return {"loss": tf.constant(0.0)}

    model = type("Model", (keras.Model,), {"train_step": train_step})()
    model.compile(run_eagerly=True)
    model.fit(data, epochs=EPOCHS, verbose=0, **arguments)
    return {tuple(seen[start : start + EXAMPLES]) for start in range(0, EPOCHS * EXAMPLES, EXAMPLES)}


def slices() -> Any:
    return tf.data.Dataset.from_tensor_slices(np.arange(EXAMPLES, dtype="float32"))


def test_fit_never_shuffles_a_dataset() -> None:
    assert orders(slices().batch(8), shuffle=False) == {tuple(range(EXAMPLES))}
    with pytest.warns(UserWarning, match="will be ignored"):
        assert orders(slices().batch(8)) == {tuple(range(EXAMPLES))}


def test_with_a_shuffle_each_epoch_has_an_order_of_its_own() -> None:
    assert len(orders(slices().shuffle(EXAMPLES).batch(8), shuffle=False)) == EPOCHS


def test_fit_shuffles_arrays() -> None:
    assert len(orders(np.arange(EXAMPLES, dtype="float32"), batch_size=8)) == EPOCHS
