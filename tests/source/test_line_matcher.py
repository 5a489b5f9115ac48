"""The lines that two texts have in common, beside what `difflib` finds."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher

from hypothesis import given
from hypothesis import strategies as st

from pipelint.source.line_matcher import LineMatcher

TEXTS = st.lists(st.sampled_from("abcdefgh"), max_size=20)


def rebuilt(old: Sequence[str], new: Sequence[str]) -> list[str]:
    """The new text, with what stayed taken out of the old one."""
    kept = LineMatcher(None, old, new).get_opcodes()
    return [line for kind, i, j, k, m in kept for line in (old[i:j] if kind == "equal" else new[k:m])]


@given(TEXTS, TEXTS)
def test_the_new_text_is_made_of_what_stayed_and_what_came(old: list[str], new: list[str]) -> None:
    assert rebuilt(old, new) == new


@given(TEXTS)
def test_a_text_has_all_lines_in_common_with_itself(text: list[str]) -> None:
    assert LineMatcher(None, text, text).ratio() == 1.0


@given(st.lists(st.integers(), unique=True, max_size=20), st.data())
def test_lines_that_are_written_once_match_as_difflib_has_it(numbers: list[int], data: st.DataObject) -> None:
    old = [str(number) for number in numbers]
    gone = data.draw(st.sets(st.sampled_from(old)) if old else st.just(set()))
    new = [f"{line} changed" if line in gone else line for line in old]
    assert LineMatcher(None, old, new).get_opcodes() == SequenceMatcher(None, old, new).get_opcodes()


def test_lines_that_changed_places_are_matched_in_one_order() -> None:
    assert rebuilt(["a", "b", "c"], ["c", "a", "b"]) == ["c", "a", "b"]
    assert LineMatcher(None, ["a", "b", "c"], ["c", "a", "b"]).get_matching_blocks()[0] == (0, 1, 2)
