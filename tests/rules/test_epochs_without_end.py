"""PIPE407 by running it: what Keras makes of a dataset that repeats for ever, and of one that does not."""

from __future__ import annotations

from typing import Any

import pytest

from tests.knowledge.installed import keras, tf

ROWS = 8
PATIENCE = 10 * ROWS


class Impatient(keras.callbacks.Callback):  # type: ignore[misc]
    """Gives up after many more steps than there are rows."""

    def __init__(self) -> None:
        super().__init__()
        self.steps = 0

    def counted(self, batch: int, logs: Any = None) -> None:
        self.steps += 1
        if self.steps > PATIENCE:
            raise TimeoutError

    on_train_batch_end = on_test_batch_end = on_predict_batch_end = counted


def rows() -> Any:
    return tf.data.Dataset.from_tensor_slices((tf.zeros((ROWS, 2)), tf.zeros((ROWS, 1)))).batch(1)


def steps_of(method: str, data: Any, **arguments: Any) -> int:
    """How many steps a method of a model takes of its data."""
    model = keras.Sequential([keras.layers.Dense(1)])
    model.compile("sgd", "mse")
    watching = Impatient()
    if method == "fit":
        # Else Keras warns that it does not shuffle datasets.
        arguments["shuffle"] = False
    getattr(model, method)(data, verbose=0, callbacks=[watching], **arguments)
    return watching.steps


@pytest.mark.parametrize("method", ["fit", "evaluate", "predict"])
def test_what_repeats_for_ever_is_never_done_with(method: str) -> None:
    with pytest.raises(TimeoutError):
        steps_of(method, rows().repeat())
    assert steps_of(method, rows()) == ROWS


@pytest.mark.parametrize(
    ("method", "arguments"), [("fit", {"steps_per_epoch": 5}), ("evaluate", {"steps": 5}), ("predict", {"steps": 5})]
)
def test_a_number_of_steps_ends_it(method: str, arguments: dict[str, int]) -> None:
    assert steps_of(method, rows().repeat(), **arguments) == 5


def test_nor_is_a_validation_with_it() -> None:
    with pytest.raises(TimeoutError):
        steps_of("fit", rows(), validation_data=rows().repeat())
    assert steps_of("fit", rows(), validation_data=rows().repeat(), validation_steps=5) == ROWS + 5
