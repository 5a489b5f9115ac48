"""PIPE106 by running it: its safe fix gives the same batches."""

from __future__ import annotations

import pytest

from tests.knowledge.installed import np, tf


@pytest.mark.parametrize("drop_remainder", [False, True])
@pytest.mark.parametrize("size", [1, 3, 4, 6, 100])
def test_rebatch_gives_the_batches_of_unbatch_and_batch(size: int, drop_remainder: bool) -> None:
    rows = {"x": np.random.default_rng(1).random((22, 2, 3)), "y": np.arange(22)}
    batches = tf.data.Dataset.from_tensor_slices(rows).batch(4)
    apart = list(batches.unbatch().batch(size, drop_remainder=drop_remainder).as_numpy_iterator())
    cut = list(batches.rebatch(size, drop_remainder=drop_remainder).as_numpy_iterator())
    assert len(apart) == len(cut) == -(-22 // size) - (drop_remainder and 22 % size > 0)
    for one, other in zip(apart, cut, strict=True):
        for part in rows:
            np.testing.assert_array_equal(one[part], other[part])
            assert one[part].dtype == other[part].dtype


def test_it_does_so_for_rows_of_any_length() -> None:
    batches = tf.data.Dataset.range(1, 10).map(tf.range).ragged_batch(4)
    apart, cut = batches.unbatch().batch(3), batches.rebatch(3)
    assert apart.element_spec == cut.element_spec
    assert [rows.to_list() for rows in apart] == [rows.to_list() for rows in cut]
