"""PIPE303, PIPE304 and PIPE305 by running them: what caches give that are never full, or share a file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.knowledge.installed import tf

ELEMENTS = 10
PASSES = 3


class Work:
    """A mapped function that counts its calls."""

    def __init__(self) -> None:
        self.calls = 0

    def __call__(self, element: Any) -> Any:
        self.calls += 1
        return element

    def over(self, dataset: Any) -> Any:
        """The dataset with the function mapped, one call for each element."""
        return dataset.map(lambda element: tf.py_function(self, [element], tf.int64))


def numbers() -> Any:
    return tf.data.Dataset.range(ELEMENTS)


def passes(dataset: Any, times: int = PASSES) -> None:
    for _ in range(times):
        list(dataset)


def test_a_cache_behind_an_endless_repeat_saves_nothing() -> None:
    work = Work()
    passes(work.over(numbers()).repeat().cache().take(PASSES * ELEMENTS), times=1)
    assert work.calls >= PASSES * ELEMENTS


def test_before_it_each_element_is_computed_once() -> None:
    work = Work()
    passes(work.over(numbers()).cache().repeat().take(PASSES * ELEMENTS), times=1)
    assert work.calls == ELEMENTS


def test_a_cache_of_which_a_part_is_taken_saves_nothing() -> None:
    work = Work()
    passes(work.over(numbers()).cache().take(4))
    assert work.calls == 4 * PASSES


def test_a_cache_of_the_part_does() -> None:
    work = Work()
    passes(work.over(numbers()).take(4).cache())
    assert work.calls == 4


def test_so_does_one_that_something_else_reads_to_the_end() -> None:
    work = Work()
    cached = work.over(numbers()).cache()
    passes(cached.skip(4), times=1)
    passes(cached.take(4))
    assert work.calls == ELEMENTS


def test_and_one_that_a_shuffle_reads_to_the_end() -> None:
    work = Work()
    passes(work.over(numbers()).cache().shuffle(ELEMENTS).take(4))
    assert work.calls == ELEMENTS


def test_a_cache_in_a_file_of_another_dataset_gives_the_elements_of_that(tmp_path: Path) -> None:
    first, second = (dataset.cache(str(tmp_path / "kept")) for dataset in (numbers(), numbers().map(lambda x: x + 100)))
    assert list(first.as_numpy_iterator()) == list(second.as_numpy_iterator()) == list(range(ELEMENTS))


def test_and_fails_where_both_are_read_by_turns(tmp_path: Path) -> None:
    first, second = (iter(numbers().cache(str(tmp_path / "kept"))) for _ in range(2))
    next(first)
    with pytest.raises(tf.errors.AlreadyExistsError):
        next(second)
