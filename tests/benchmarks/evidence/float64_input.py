"""Rows of 784 numbers in memory, put into batches: as float64, and as float32."""

from __future__ import annotations

from tests.benchmarks.evidence import Run, drain, np, tf

SIZE = 60_000


def _batches(size: int, dtype: str) -> Run:
    rows = np.zeros((size, 784), dtype)
    return drain(tf.data.Dataset.from_tensor_slices(rows).batch(64).repeat(4).prefetch(tf.data.AUTOTUNE))


def slow(size: int) -> Run:
    return _batches(size, "float64")


def fast(size: int) -> Run:
    return _batches(size, "float32")
