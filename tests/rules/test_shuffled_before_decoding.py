"""PIPE404 by running it: how much is decoded before the first element comes out, and that the elements stay."""

from __future__ import annotations

from typing import Any

import pytest

from tests.knowledge.installed import tf

BUFFER = 100


def decoded(made: list[int]) -> Any:
    """Stands for a map that decodes."""

    def decode(number: Any) -> Any:
        made.append(int(number))
        return number

    return lambda number: tf.numpy_function(decode, [number], tf.int64)


@pytest.mark.parametrize(("moved", "most"), [(False, 2 * BUFFER), (True, BUFFER // 2)], ids=["before", "after the fix"])
def test_the_buffer_is_filled_before_the_first_element_comes_out(moved: bool, most: int) -> None:
    made: list[int] = []
    ds = tf.data.Dataset.range(4 * BUFFER)
    ds = ds.shuffle(BUFFER).map(decoded(made)) if moved else ds.map(decoded(made)).shuffle(BUFFER)
    next(iter(ds))
    assert (len(made) >= BUFFER) is not moved
    assert len(made) <= most


def test_the_fix_keeps_the_elements() -> None:
    numbers = tf.data.Dataset.range(4 * BUFFER)
    before, after = numbers.map(decoded([])).shuffle(BUFFER), numbers.shuffle(BUFFER).map(decoded([]))
    assert sorted(before.as_numpy_iterator()) == sorted(after.as_numpy_iterator())
