"""PIPE508 by running it: of which stages TensorFlow knows how many elements they give."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from pipelint.rule import KEEPS_COUNT
from tests.knowledge.installed import tf

STAGES: dict[str, Callable[[Any], Any]] = {
    "batch": lambda ds: ds.batch(3),
    "cache": lambda ds: ds.cache(),
    "concatenate": lambda ds: ds.concatenate(ds),
    "enumerate": lambda ds: ds.enumerate(),
    "map": lambda ds: ds.map(lambda x: x + 1),
    "padded_batch": lambda ds: ds.padded_batch(3),
    "prefetch": lambda ds: ds.prefetch(tf.data.AUTOTUNE),
    "shard": lambda ds: ds.shard(3, 1),
    "shuffle": lambda ds: ds.shuffle(4),
    "skip": lambda ds: ds.skip(2),
    "take": lambda ds: ds.take(4),
    "with_options": lambda ds: ds.with_options(tf.data.Options()),
    "zip": lambda ds: tf.data.Dataset.zip((ds, ds)),
}


def test_each_is_tried() -> None:
    assert set(STAGES) == KEEPS_COUNT


@pytest.mark.parametrize("stage", STAGES.values(), ids=STAGES)
def test_the_length_is_the_number_of_elements(stage: Callable[[Any], Any]) -> None:
    dataset = stage(tf.data.Dataset.range(10))
    assert len(dataset) == len(list(dataset))


def test_behind_a_filter_nobody_knows_it() -> None:
    with pytest.raises(TypeError, match="unknown"):
        len(tf.data.Dataset.range(10).filter(lambda x: x > 4))
