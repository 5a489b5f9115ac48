"""Batches of 128 small pictures, taken apart and put together in batches of 32, and cut by rebatch."""

from __future__ import annotations

from typing import Any

from tests.benchmarks.evidence import Run, drain, np, tf

SIZE = 400


def _batches(size: int) -> Any:
    return tf.data.Dataset.from_tensors(np.zeros((128, 32, 32, 3), np.float32)).repeat(size)


def slow(size: int) -> Run:
    return drain(_batches(size).unbatch().batch(32))


def fast(size: int) -> Run:
    return drain(_batches(size).rebatch(32))
