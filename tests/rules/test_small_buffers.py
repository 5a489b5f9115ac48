"""PIPE402 by running it: how many classes meet in the batches of data that is sorted by class."""

from __future__ import annotations

from typing import Any

import pytest

from tests.knowledge.installed import np, tf

BATCH = 32
CLASSES = 10
EXAMPLES = 100 * BATCH


def classes_in_a_batch(buffer: int) -> float:
    """How many different classes a batch holds on average."""
    labels: Any = np.repeat(np.arange(CLASSES), EXAMPLES // CLASSES)
    batches = tf.data.Dataset.from_tensor_slices(labels).shuffle(buffer, seed=1).batch(BATCH)
    return float(np.mean([len(set(batch.numpy())) for batch in batches]))


@pytest.mark.parametrize("buffer", [1, BATCH // 2, BATCH])
def test_with_a_buffer_of_one_batch_most_batches_are_of_one_class(buffer: int) -> None:
    assert classes_in_a_batch(buffer) < 1.5


def test_with_a_buffer_for_all_they_have_nearly_all_classes() -> None:
    assert classes_in_a_batch(EXAMPLES) > CLASSES - 1


def test_a_buffer_of_one_keeps_the_order() -> None:
    assert list(tf.data.Dataset.range(20).shuffle(1).as_numpy_iterator()) == list(range(20))
