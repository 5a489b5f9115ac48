"""A small model that is asked for one row at a time, by predict and by calling the model itself."""

from __future__ import annotations

from typing import Any

from tests.benchmarks.evidence import Run, np, perceptron

SIZE = 40


def _asking(size: int, ask: Any) -> Run:
    rows = np.random.default_rng(1).normal(size=(size, 32)).astype("float32")
    return lambda: float([ask(row[None]) for row in rows][-1][0, 0])


def slow(size: int) -> Run:
    model = perceptron()
    return _asking(size, lambda row: model.predict(row, verbose=0))


def fast(size: int) -> Run:
    model = perceptron()
    return _asking(size, lambda row: model(row, training=False).numpy())
