"""A small model that is called over and over, by a tf.function that each call makes and by one for all."""

from __future__ import annotations

from typing import Any

from tests.benchmarks.evidence import Run, perceptron, tf

SIZE = 20


def _calling(size: int, call: Any) -> Run:
    rows = tf.ones((32, 32))
    return lambda: float([call(rows) for _ in range(size)][-1][0, 0])


def slow(size: int) -> Run:
    model = perceptron()

    def called(rows: Any) -> Any:
        return tf.function(model)(rows)

    return _calling(size, called)


def fast(size: int) -> Run:
    return _calling(size, tf.function(perceptron()))
