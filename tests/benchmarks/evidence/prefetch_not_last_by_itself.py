"""The same prefetch before the stage that takes its time, and after it, in a Python loop: TensorFlow inserts another."""

from __future__ import annotations

from tests.benchmarks.evidence import Run, tf, waiting
from tests.benchmarks.evidence.missing_prefetch_by_itself import loop_over

SIZE = 100
_MILLISECONDS = 4


def slow(size: int) -> Run:
    return loop_over(tf.data.Dataset.range(size * 8).batch(8).prefetch(tf.data.AUTOTUNE).map(waiting(_MILLISECONDS)))


def fast(size: int) -> Run:
    return loop_over(tf.data.Dataset.range(size * 8).batch(8).map(waiting(_MILLISECONDS)).prefetch(tf.data.AUTOTUNE))
