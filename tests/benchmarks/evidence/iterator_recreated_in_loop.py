"""A batch for each of many steps, out of a shuffled dataset: from a new iterator each time, and from one for all."""

from __future__ import annotations

from typing import Any

from tests.benchmarks.evidence import Run, np, tf

SIZE = 100
_EXAMPLES = 10_000


def _batches() -> Any:
    rows = np.zeros((_EXAMPLES, 32), "float32")
    return tf.data.Dataset.from_tensor_slices(rows).shuffle(_EXAMPLES).batch(32)


def slow(size: int) -> Run:
    batches = _batches()

    def run() -> None:
        for _ in range(size):
            next(iter(batches))

    return run


def fast(size: int) -> Run:
    batches = _batches().repeat()

    def run() -> None:
        iterator = iter(batches)
        for _ in range(size):
            next(iterator)

    return run
