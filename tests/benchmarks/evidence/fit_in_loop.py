"""A small model that is trained on the batches of a data set, by a fit for each and by train_on_batch."""

from __future__ import annotations

from typing import Any

from tests.benchmarks.evidence import Run, np, perceptron

SIZE = 20
BATCH = 32


def _training(size: int, step: Any) -> Run:
    rows = np.random.default_rng(1).normal(size=(size * BATCH, 33)).astype("float32")
    batches = [(part[:, :32], part[:, 32:]) for part in np.split(rows, size)]

    def run() -> float:
        for x, y in batches:
            step(x, y)
        return 0.0

    return run


def slow(size: int) -> Run:
    model = perceptron()
    model.compile("sgd", "mse")
    return _training(size, lambda x, y: model.fit(x, y, batch_size=BATCH, verbose=0))


def fast(size: int) -> Run:
    model = perceptron()
    model.compile("sgd", "mse")
    return _training(size, model.train_on_batch)
