"""A small model that a loop calls on each batch, from Python and under tf.function."""

from __future__ import annotations

from typing import Any

from tests.benchmarks.evidence import Run, perceptron, tf

SIZE = 400


def _calling(size: int, trace: Any) -> Run:
    model, batch = perceptron(), tf.random.normal((32, 32))

    def forward() -> Any:
        return model(batch, training=False)

    run = trace(forward)
    return lambda: float([run() for _ in range(size)][-1][0, 0])


def slow(size: int) -> Run:
    return _calling(size, lambda forward: forward)


def fast(size: int) -> Run:
    return _calling(size, tf.function)
