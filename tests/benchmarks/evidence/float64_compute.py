"""A network of three wide layers, trained with float64 and with float32."""

from __future__ import annotations

from tests.benchmarks.evidence import Run, keras, np

SIZE = 4096
_WIDTH = 1024


def _training(size: int, dtype: str) -> Run:
    keras.config.set_floatx(dtype)
    layers = [keras.layers.Dense(_WIDTH, activation="relu") for _ in range(3)]
    model = keras.Sequential([keras.Input((_WIDTH,)), *layers, keras.layers.Dense(1)])
    model.compile("sgd", "mse")
    rows = np.random.default_rng(1).random((size, _WIDTH)).astype(dtype)
    return lambda: model.fit(rows, rows[:, :1], batch_size=256, verbose=0)


def slow(size: int) -> Run:
    return _training(size, "float64")


def fast(size: int) -> Run:
    return _training(size, "float32")
