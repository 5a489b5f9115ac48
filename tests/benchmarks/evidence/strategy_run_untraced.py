"""A small model that a strategy runs on each batch, from Python and in a tf.function."""

from __future__ import annotations

from typing import Any

from tests.benchmarks.evidence import Run, perceptron, tf

SIZE = 200


def _running(size: int, wrap: Any) -> Run:
    strategy = tf.distribute.OneDeviceStrategy("/cpu:0")
    with strategy.scope():
        model = perceptron()

    def evaluate(rows: Any) -> Any:
        return strategy.run(model, args=(rows,))

    step, rows = wrap(evaluate), tf.ones((32, 32))

    def run() -> None:
        for _ in range(size):
            step(rows)

    return run


def slow(size: int) -> Run:
    return _running(size, lambda step: step)


def fast(size: int) -> Run:
    return _running(size, tf.function)
