"""The norm of each of 256 rows in a graph, by map_fn and by vectorized_map."""

from __future__ import annotations

from typing import Any

from tests.benchmarks.evidence import Run, tf

SIZE = 200


def _norm(row: Any) -> Any:
    return tf.sqrt(tf.reduce_sum(row * row))


def _repeated(size: int, mapped: Any) -> Run:
    rows = tf.ones((256, 64))
    norms = tf.function(lambda rows: mapped(_norm, rows))

    def run() -> None:
        for _ in range(size):
            norms(rows)

    return run


def slow(size: int) -> Run:
    return _repeated(size, tf.map_fn)


def fast(size: int) -> Run:
    return _repeated(size, tf.vectorized_map)
