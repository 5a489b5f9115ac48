"""The same prefetch before the stage that takes its time, and after it, in a dataset that a tf.function iterates."""

from __future__ import annotations

from tests.benchmarks.evidence import Run, tf, waiting
from tests.benchmarks.evidence.missing_prefetch import train_on

SIZE = 100
_MILLISECONDS = 4


def slow(size: int) -> Run:
    return train_on(tf.data.Dataset.range(size * 8).batch(8).prefetch(tf.data.AUTOTUNE).map(waiting(_MILLISECONDS)))


def fast(size: int) -> Run:
    return train_on(tf.data.Dataset.range(size * 8).batch(8).map(waiting(_MILLISECONDS)).prefetch(tf.data.AUTOTUNE))
