"""PIPE510 by running it: what is computed to be dropped, and that the safe fix gives the same elements."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.knowledge.installed import tf

ELEMENTS = 100
Dropping = Callable[[Any], Any]
DROPS: dict[str, Dropping] = {
    "skip": lambda ds: ds.skip(60),
    "shard": lambda ds: ds.shard(4, 1),
}


def computed(build: Callable[[Any, Callable[[Any], Any]], Any]) -> int:
    """How many elements are mapped in one pass."""
    made: list[int] = []

    def note(number: Any) -> Any:
        made.append(int(number))
        return number

    for _ in build(tf.data.Dataset.range(ELEMENTS), lambda number: tf.numpy_function(note, [number], tf.int64)):
        pass
    return len(made)


@pytest.mark.parametrize("drop", DROPS.values(), ids=DROPS)
def test_what_is_dropped_is_computed_before(drop: Dropping) -> None:
    assert computed(lambda ds, function: drop(ds.map(function))) == ELEMENTS
    assert computed(lambda ds, function: drop(ds).map(function)) < ELEMENTS / 2


def test_take_asks_for_no_more_than_it_gives() -> None:
    assert computed(lambda ds, function: ds.map(function).take(10)) == 10


@pytest.mark.parametrize("drop", DROPS.values(), ids=DROPS)
@pytest.mark.parametrize("calls", [None, tf.data.AUTOTUNE], ids=["one by one", "in parallel"])
def test_the_fix_keeps_elements_and_order(drop: Dropping, calls: int | None) -> None:
    numbers = tf.data.Dataset.range(ELEMENTS)

    def square(number: Any) -> Any:
        return number * number

    behind = drop(numbers.map(square, num_parallel_calls=calls).prefetch(2))
    before = drop(numbers).map(square, num_parallel_calls=calls).prefetch(2)
    assert list(behind.as_numpy_iterator()) == list(before.as_numpy_iterator())
