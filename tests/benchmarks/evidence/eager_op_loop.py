"""A sum over and over on a small tensor, in a Python loop and in a graph over tf.range."""

from __future__ import annotations

from typing import Any

from tests.benchmarks.evidence import Run, tf

SIZE = 20_000


def slow(size: int) -> Run:
    step = tf.ones((8, 8))

    def run() -> float:
        total = tf.zeros((8, 8))
        for _ in range(size):
            total = total * 0.99 + step
        return float(total[0, 0])

    return run


def fast(size: int) -> Run:
    step = tf.ones((8, 8))

    def summed(total: Any) -> Any:
        for _ in tf.range(size):
            total = total * 0.99 + step
        return total

    traced = tf.function(summed)
    return lambda: float(traced(tf.zeros((8, 8)))[0, 0])
