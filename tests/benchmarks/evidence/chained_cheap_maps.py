"""Three small functions over the rows of a table, by three maps and by one."""

from __future__ import annotations

from typing import Any

from tests.benchmarks.evidence import Run, drain, np, tf

SIZE = 20_000


def _rows(size: int) -> Any:
    return tf.data.Dataset.from_tensor_slices(np.ones((size, 8), np.float32))


def slow(size: int) -> Run:
    doubled = _rows(size).map(lambda row: row * 2, tf.data.AUTOTUNE)
    return drain(doubled.map(lambda row: row + 1, tf.data.AUTOTUNE).map(tf.square, tf.data.AUTOTUNE).batch(64))


def fast(size: int) -> Run:
    return drain(_rows(size).map(lambda row: tf.square(row * 2 + 1), tf.data.AUTOTUNE).batch(64))
