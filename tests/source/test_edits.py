"""Applying edits, and choosing fixes that go together."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipelint.model.edit import Edit
from pipelint.model.locations import Region
from pipelint.source.edits import apply, compatible, merged, overlap

TEXT = "ds.map(f).batch(2)"


def edit(start: int, end: int, text: str = "") -> Edit:
    return Edit(Region(start, end), text)


@st.composite
def edits(draw: st.DrawFn) -> Edit:
    start = draw(st.integers(0, 20))
    return edit(start, draw(st.integers(start, 20)), draw(st.sampled_from(["", "x", "yz"])))


def test_edits_apply_in_any_order_given() -> None:
    assert apply(TEXT, [edit(16, 17, "32"), edit(8, 8, ", AUTO")]) == "ds.map(f, AUTO).batch(32)"


def test_no_edits_leave_the_text() -> None:
    assert apply(TEXT, []) == TEXT


def test_an_identical_edit_is_applied_once() -> None:
    assert apply("x", [edit(0, 0, "import tf\n"), edit(0, 0, "import tf\n")]) == "import tf\nx"


def test_an_insertion_goes_before_a_replacement_that_begins_there() -> None:
    assert apply("abc", [edit(1, 2, "B"), edit(1, 1, "-")]) == "a-Bc"


@pytest.mark.parametrize("second", [edit(2, 4), edit(4, 6), edit(5, 5, "x"), edit(3, 7, "other")])
def test_overlapping_edits_are_refused(second: Edit) -> None:
    with pytest.raises(ValueError, match="overlapping"):
        apply(TEXT, [edit(3, 7, "one"), second])


def test_edits_outside_the_text_are_refused() -> None:
    with pytest.raises(ValueError, match="outside"):
        apply("ab", [edit(1, 3)])


def test_fixes_that_touch_are_compatible() -> None:
    assert compatible([[edit(0, 3)], [edit(3, 5)], [edit(5, 5, "x")]]) == [0, 1, 2]


def test_the_fix_that_comes_first_in_the_text_wins() -> None:
    assert compatible([[edit(4, 8)], [edit(1, 5)]]) == [1]


def test_different_insertions_at_one_place_exclude_each_other() -> None:
    assert len(compatible([[edit(4, 4, "a")], [edit(4, 4, "b")]])) == 1


def test_fixes_that_add_the_same_import_go_together() -> None:
    added = edit(0, 0, "import tensorflow as tf\n")
    fixes = [[added, edit(5, 6, "x")], [added, edit(9, 9, "y")]]
    assert compatible(fixes) == [0, 1]
    assert merged(fixes) == [added, edit(5, 6, "x"), edit(9, 9, "y")]


def test_a_fix_is_taken_whole_or_not_at_all() -> None:
    assert compatible([[edit(0, 1), edit(10, 12)], [edit(2, 3), edit(11, 13)]]) == [0]


def test_a_fix_without_edits_is_never_chosen() -> None:
    assert compatible([[], [edit(0, 1)]]) == [1]


@given(st.lists(st.lists(edits(), min_size=1, max_size=1), max_size=8))
def test_what_is_chosen_applies_and_what_is_left_out_conflicts(fixes: list[list[Edit]]) -> None:
    chosen = compatible(fixes)
    taken = merged(fixes[index] for index in chosen)
    apply("." * 20, taken)
    for index in set(range(len(fixes))) - set(chosen):
        assert any(overlap(fixes[index][0], other) or fixes[index][0] == other for other in taken)


def test_two_fixes_that_move_the_same_line_exclude_each_other() -> None:
    line = Edit(Region(10, 20), "")
    assert compatible([[line, Edit(Region(0, 0), "a")], [line, Edit(Region(5, 5), "a")]]) == [0]


def test_two_moves_to_the_same_place_are_not_one() -> None:
    added = Edit(Region(0, 0), "ds = ds.cache()")
    assert compatible([[Edit(Region(10, 20), ""), added], [Edit(Region(20, 30), ""), added]]) == [0]


@given(st.lists(edits(), max_size=6))
def test_characters_outside_the_edits_are_kept_in_order(some: list[Edit]) -> None:
    text = "abcdefghijklmnopqrst"
    taken = merged([some[index]] for index in compatible([[one] for one in some]))
    kept = [c for at, c in enumerate(text) if not any(e.region.start <= at < e.region.end for e in taken)]
    marked = apply(text, [Edit(one.region, one.text.upper()) for one in taken])
    assert [c for c in marked if c.islower()] == kept


def test_edits_are_compared_with_their_neighbours_only(monkeypatch: pytest.MonkeyPatch) -> None:
    compared = 0

    def counted(first: Edit, second: Edit) -> bool:
        nonlocal compared
        compared += 1
        return overlap(first, second)

    monkeypatch.setattr("pipelint.source.edits.overlap", counted)
    insertions = [[Edit(Region(at, at), "x")] for at in range(0, 4000, 2)]
    removals = [[Edit(Region(at, at + 1), "")] for at in range(4001, 8000, 2)]
    assert len(compatible([*insertions, *removals])) == len(insertions) + len(removals)
    assert compared < 4 * len(insertions + removals)
