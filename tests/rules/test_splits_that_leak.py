"""PIPE403 by running it: what the parts of a dataset that is shuffled anew have in common, and what is left of it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.knowledge.installed import keras, tf

WHOLE = 40
HALF = 20


def numbers() -> Any:
    return tf.data.Dataset.range(WHOLE)


def in_common(first: Any, second: Any, passes: int = 4) -> int:
    """How many elements both parts have given, after a few passes over the one and the other."""
    seen: tuple[set[int], set[int]] = (set(), set())
    for _ in range(passes):
        for part, given in zip((first, second), seen, strict=True):
            given.update(int(element) for element in part)
    return len(seen[0] & seen[1])


def halves(dataset: Any) -> tuple[Any, Any]:
    return dataset.take(HALF), dataset.skip(HALF)


RESHUFFLED = {
    "as it is": {},
    "with a seed": {"seed": 1},
    "as the default says it": {"reshuffle_each_iteration": True},
}


@pytest.mark.parametrize("arguments", RESHUFFLED.values(), ids=RESHUFFLED)
def test_parts_of_what_is_shuffled_anew_mix(arguments: dict[str, Any]) -> None:
    parts = halves(numbers().shuffle(WHOLE, **arguments))
    assert 0 < in_common(*parts, passes=1) < in_common(*parts)


@pytest.mark.parametrize("arguments", [{}, {"seed": 1}], ids=["without a seed", "with one"])
def test_after_the_fix_they_stay_apart(arguments: dict[str, Any]) -> None:
    assert in_common(*halves(numbers().shuffle(WHOLE, reshuffle_each_iteration=False, **arguments))) == 0


def test_a_buffer_of_one_element_keeps_the_order() -> None:
    assert in_common(*halves(numbers().shuffle(1))) == 0
    assert in_common(*halves(numbers().shuffle(2))) > 0


def test_parts_that_are_cached_overlap_for_good() -> None:
    first, second = (part.cache() for part in halves(numbers().shuffle(WHOLE)))
    assert 0 < in_common(first, second, passes=1) == in_common(first, second)


def test_a_cache_before_the_split_keeps_one_order_from_the_second_pass_on() -> None:
    parts = halves(numbers().shuffle(WHOLE).cache())
    in_common(*parts, passes=1)
    assert in_common(*parts) == 0


def numbered(folder: Path, listed: Callable[[str], Any]) -> Any:
    for number in range(WHOLE):
        (folder / f"{number:02}").touch()
    return listed(f"{folder}/*").map(lambda path: tf.strings.to_number(tf.strings.split(path, "/")[-1]))


def test_list_files_shuffles_anew_unless_told_not_to(tmp_path: Path) -> None:
    assert in_common(*halves(numbered(tmp_path, tf.data.Dataset.list_files))) > 0
    in_order = numbered(tmp_path, lambda pattern: tf.data.Dataset.list_files(pattern, shuffle=False))
    assert in_common(*halves(in_order)) == 0


@pytest.mark.parametrize(("arguments", "mixed"), [({}, True), ({"shuffle": False}, False)], ids=["usual", "in order"])
def test_so_do_the_loaders_of_keras(tmp_path: Path, arguments: dict[str, Any], mixed: bool) -> None:
    for number in range(WHOLE):
        (tmp_path / "texts").mkdir(exist_ok=True)
        (tmp_path / "texts" / f"{number:02}.txt").write_text(str(number), "utf-8")
    loaded = keras.utils.text_dataset_from_directory(tmp_path, labels=None, batch_size=5, verbose=False, **arguments)
    first, second = loaded.take(4).unbatch().map(tf.strings.to_number), loaded.skip(4).unbatch()
    assert (in_common(first, second.map(tf.strings.to_number)) > 0) is mixed
