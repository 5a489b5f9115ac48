"""A small model in a tf.function that is given the number of each step, as a Python number and as a tensor."""

from __future__ import annotations

from itertools import count
from typing import Any

from tests.benchmarks.evidence import Run, perceptron, tf

SIZE = 20


def _stepping(size: int, number: Any) -> Run:
    model, numbers, rows = perceptron(), count(), tf.ones((32, 32))

    def scored(step: Any) -> Any:
        return tf.reduce_sum(model(rows)) * tf.cast(step, tf.float32)

    traced = tf.function(scored)
    return lambda: float([traced(number(next(numbers))) for _ in range(size)][-1])


def slow(size: int) -> Run:
    return _stepping(size, int)


def fast(size: int) -> Run:
    return _stepping(size, tf.constant)
