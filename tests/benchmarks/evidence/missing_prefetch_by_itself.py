"""The same waits for each batch and for each step on it in a Python loop, for which TensorFlow inserts a prefetch."""

from __future__ import annotations

import time
from typing import Any

from tests.benchmarks.evidence import Run, tf, waiting

SIZE = 100
_MILLISECONDS = 4


def loop_over(dataset: Any) -> Run:
    """A run over the dataset in Python, with a wait for each step."""

    def run() -> None:
        for _ in dataset:
            time.sleep(_MILLISECONDS / 1000)

    return run


def slow(size: int) -> Run:
    return loop_over(tf.data.Dataset.range(size * 8).batch(8).map(waiting(_MILLISECONDS)))


def fast(size: int) -> Run:
    return loop_over(tf.data.Dataset.range(size * 8).batch(8).map(waiting(_MILLISECONDS)).prefetch(tf.data.AUTOTUNE))
