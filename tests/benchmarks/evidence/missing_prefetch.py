"""A dataset that a tf.function iterates, with as long a wait for each batch as for each step on it."""

from __future__ import annotations

from typing import Any

from tests.benchmarks.evidence import Run, tf, waiting

SIZE = 100
_MILLISECONDS = 4


def _batches(size: int) -> Any:
    return tf.data.Dataset.range(size * 8).batch(8).map(waiting(_MILLISECONDS))


def train_on(dataset: Any) -> Run:
    """A run over the dataset inside a tf.function, where TensorFlow inserts no prefetch."""
    step = waiting(_MILLISECONDS)

    def epoch() -> Any:
        total = tf.constant(0, tf.int64)
        for batch in dataset:
            total += tf.reduce_sum(step(batch))
        return total

    run = tf.function(epoch)
    return lambda: int(run())


def slow(size: int) -> Run:
    return train_on(_batches(size))


def fast(size: int) -> Run:
    return train_on(_batches(size).prefetch(tf.data.AUTOTUNE))
