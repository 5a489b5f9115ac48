"""An epoch of a small model on batches of a table, with one step and with 32 steps in each call of the graph."""

from __future__ import annotations

from tests.benchmarks.evidence import Run, np, perceptron

SIZE = 20_000


def _training(size: int, steps: int) -> Run:
    model = perceptron()
    model.compile("sgd", "mse", steps_per_execution=steps)
    x, y = np.ones((size, 32), np.float32), np.ones((size, 1), np.float32)
    return lambda: model.fit(x, y, batch_size=32, verbose=0)


def slow(size: int) -> Run:
    return _training(size, 1)


def fast(size: int) -> Run:
    return _training(size, 32)
