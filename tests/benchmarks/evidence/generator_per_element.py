"""A generator that yields the rows of a table, one at a time or in batches."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tests.benchmarks.evidence import Run, drain, np, tf

SIZE = 8_000
BATCH = 32


def _table(size: int) -> Any:
    return np.random.default_rng(1).normal(size=(size, 32)).astype("float32")


def slow(size: int) -> Run:
    table = _table(size)

    def rows() -> Iterator[Any]:
        yield from table

    dataset = tf.data.Dataset.from_generator(rows, output_signature=tf.TensorSpec((32,)))
    return drain(dataset.batch(BATCH).prefetch(tf.data.AUTOTUNE))


def fast(size: int) -> Run:
    table = _table(size)

    def batches() -> Iterator[Any]:
        for start in range(0, size, BATCH):
            yield table[start : start + BATCH]

    dataset = tf.data.Dataset.from_generator(batches, output_signature=tf.TensorSpec((None, 32)))
    return drain(dataset.prefetch(tf.data.AUTOTUNE))
