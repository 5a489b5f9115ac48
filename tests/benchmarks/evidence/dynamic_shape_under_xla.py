"""Sentences that are padded to the longest of each batch, and all to one length, in a model that XLA compiles."""

from __future__ import annotations

from itertools import count
from typing import Any

from tests.benchmarks.evidence import Run, keras, np, tf

SIZE = 4
_ROWS = 16
_LONGEST = 400


def _model() -> Any:
    layers = [keras.layers.Embedding(100, 16), keras.layers.GlobalAveragePooling1D(), keras.layers.Dense(1)]
    model = keras.Sequential([keras.Input((None,), dtype="int32"), *layers])
    model.compile("sgd", "mse", jit_compile=True)
    return model


def _training(size: int, longest: int | None) -> Run:
    model, epochs = _model(), count()

    def run() -> None:
        # Another epoch brings other lengths, as a shuffle does.
        first = 1 + next(epochs) * size
        lengths = np.repeat(np.arange(first, first + size), _ROWS)
        rows = tf.data.Dataset.from_tensor_slices(lengths).map(lambda length: (tf.ones(length, tf.int32), 1.0))
        model.fit(rows.padded_batch(_ROWS, ([longest], [])), verbose=0)

    return run


def slow(size: int) -> Run:
    return _training(size, None)


def fast(size: int) -> Run:
    return _training(size, _LONGEST)
