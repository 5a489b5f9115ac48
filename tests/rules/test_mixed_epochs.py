"""PIPE405 by running it: what comes in the first epoch of a dataset that is repeated and shuffled."""

from __future__ import annotations

from typing import Any

from tests.knowledge.installed import tf


def first_ten(dataset: Any) -> list[int]:
    return sorted(int(number) for number in dataset.take(10))


def test_repeat_first_brings_some_twice_and_shuffle_first_all_once() -> None:
    numbers = tf.data.Dataset.range(10)
    assert first_ten(numbers.repeat(2).shuffle(10, seed=1)) != list(range(10))
    assert first_ten(numbers.shuffle(10, seed=1).repeat(2)) == list(range(10))
