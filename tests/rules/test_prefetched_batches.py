"""PIPE103 by running it: how many batches a prefetch holds ready, and that the fix gives the same elements."""

from __future__ import annotations

import time
from typing import Any

from tests.knowledge.installed import np, tf

BATCH = 4
BUFFER = 32


def batches(made: list[int]) -> Any:
    """Many batches; the examples that were made for them are noted."""

    def note(number: Any) -> Any:
        made.append(int(number))
        return number

    return tf.data.Dataset.range(1000).map(lambda number: tf.numpy_function(note, [number], tf.int64)).batch(BATCH)


def held_ready(buffer_size: int) -> int:
    """How many batches are made while a consumer is busy with the first."""
    made: list[int] = []
    iterator = iter(batches(made).prefetch(buffer_size))
    next(iterator)
    before = -1
    while len(made) > before:
        before = len(made)
        time.sleep(0.5)
    del iterator
    return before // BATCH


def test_the_buffer_counts_batches() -> None:
    assert held_ready(BUFFER) >= BUFFER


def test_after_the_fix_a_few_are_ready() -> None:
    assert held_ready(tf.data.AUTOTUNE) < BUFFER / 2


def test_the_fix_keeps_elements_and_order() -> None:
    before, after = (list(batches([]).prefetch(size).as_numpy_iterator()) for size in (BUFFER, tf.data.AUTOTUNE))
    assert all(np.array_equal(one, other) for one, other in zip(before, after, strict=True))
