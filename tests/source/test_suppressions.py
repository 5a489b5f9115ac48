"""Comments that silence findings, those that silence nothing, and those that --add-noqa writes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipelint.model.finding import Finding, UnusedSuppression
from pipelint.model.grades import Severity
from pipelint.model.locations import Region
from pipelint.source.edits import apply
from pipelint.source.files import load
from pipelint.source.suppressions import Suppressions, noqa_edits
from pipelint.source.unit import Unit, single

KNOWN = {"PIPE101": "missing-prefetch", "PIPE201": "unparallelized-map", "PIPE203": "unparallelized-interleave"}


def finding(unit: Unit, word: str = "map", code: str = "PIPE201") -> Finding:
    at = unit.text.index(word)
    return Finding(code, KNOWN.get(code, "other"), Severity.WARNING, "slow", Region(at, at + len(word)))


def silenced(text: str, word: str = "map", code: str = "PIPE201") -> bool:
    unit = single(text)
    return Suppressions(unit).suppresses(finding(unit, word, code))


def unused(text: str, ran: set[str] | None = None, *found: str) -> list[UnusedSuppression]:
    unit = single(text)
    suppressions = Suppressions(unit)
    for code in found:
        suppressions.suppresses(finding(unit, code=code))
    return list(suppressions.unused(KNOWN, set(KNOWN) if ran is None else ran))


def cleaned(text: str, *found: str) -> str:
    """The text after the removal of everything unused, pass after pass."""
    while reports := unused(text, None, *found):
        text = apply(text, reports[0].edits)
    return text


class TestWhatCounts:
    @pytest.mark.parametrize(
        "comment",
        [
            "# noqa",
            "#noqa",
            "# NOQA",
            "# noqa: PIPE201",
            "# noqa:pipe201",
            "# noqa : PIPE201",
            "# noqa: E501,PIPE201",
            "# noqa: E501 PIPE201",
            "# noqa: E501, PIPE201  because it is tiny",
            "# noqa: PIPE2",
            "# noqa: PIPE20",
            "# type: ignore  # noqa: PIPE201",
            "# noqa: this is prose, so it means everything",
            "# pipelint: ignore",
            "# pipelint: ignore[PIPE201]",
            "# pipelint: ignore[unparallelized-map]",
            "# pipelint:ignore[missing-prefetch, Unparallelized-Map] why",
            "# pipelint: ignore[PIPE]",
            "# PIPELINT: ignore-file",
        ],
    )
    def test_it_silences(self, comment: str) -> None:
        assert silenced(f"ds.map(f)  {comment}\n")

    @pytest.mark.parametrize(
        "comment",
        [
            "",
            "# noqa: E501",
            "# noqa: PIPE2011",
            "# noqable",
            "# see noqa",
            "# pipelint: ignore[missing-prefetch]",
            "# pipelint: ignore[]",
            "# pipelint: ignored",
            "# pipelint: ignore-files",
            "# pipelint: ignore[P]",
            "# pipelint: ignore-file[PIPE101]",
        ],
    )
    def test_it_does_not(self, comment: str) -> None:
        assert not silenced(f"ds.map(f)  {comment}\n")

    def test_strings_are_no_comments(self) -> None:
        assert not silenced("ds.map('# noqa')\n")
        assert not silenced('ds.map("""\n# pipelint: ignore-file\n""")\n')

    @pytest.mark.parametrize("line", [0, 1, 3])
    def test_the_findings_line_and_the_ends_of_its_statement_count(self, line: int) -> None:
        lines = ["x = (", "  ds.map(f)", "  .batch(2)", ")", "y = 1"]
        lines[line] += "  # noqa: PIPE201"
        assert silenced("\n".join(lines))

    @pytest.mark.parametrize("line", [2, 4])
    def test_other_lines_do_not(self, line: int) -> None:
        lines = ["x = (", "  ds.map(f)", "  .batch(2)", ")", "y = 1"]
        lines[line] += "  # noqa: PIPE201"
        assert not silenced("\n".join(lines))

    def test_of_a_compound_statement_only_the_header_counts(self) -> None:
        header = "for x in ds.map(\n    f\n):{}\n    print(x){}\n"
        assert silenced(header.format("  # noqa", ""))
        assert not silenced(header.format("", "  # noqa"))
        assert not silenced("def f():  # noqa\n    return ds.map(g)\n")

    def test_ignore_file_counts_anywhere(self) -> None:
        text = "ds.map(f)\nx = 1  # pipelint: ignore-file[unparallelized-map]\n"
        assert silenced(text)
        assert not silenced(text, code="PIPE101")

    @pytest.mark.parametrize("newline", ["\r\n", "\r", "\n"])
    def test_in_any_newlines_and_after_form_feeds(self, newline: str) -> None:
        text = newline.join(["a = '\u2028'", "\x0c", "ds.map(f)  # noqa", "ds.batch(2)"])
        assert silenced(text)
        assert not silenced(text, "batch")

    def test_only_a_comment_that_names_the_rule_silences_a_report_about_comments(self) -> None:
        for comment, expected in (("# pipelint: ignore", False), ("# noqa: PIPE201", True)):
            unit = single(f"ds.map(f)  {comment}\n")
            assert Suppressions(unit).suppresses(finding(unit), named=True) is expected

    def test_in_a_notebook_each_cell_has_its_lines(self) -> None:
        cells = ["%cd x  # noqa\nds.map(f)", "# pipelint: ignore-file[PIPE101]", "ds.batch(2)  # noqa: PIPE201"]
        document = {"cells": [{"cell_type": "code", "source": source} for source in cells]}
        unit = load(Path("n.ipynb"), json.dumps(document).encode()).units[0]
        suppressions = Suppressions(unit)
        assert not suppressions.suppresses(finding(unit))
        assert suppressions.suppresses(finding(unit, "batch"))
        assert suppressions.suppresses(finding(unit, code="PIPE101"))


class TestUnused:
    @pytest.mark.parametrize(
        ("before", "after"),
        [
            ("x = 1  # noqa: PIPE201\n", "x = 1\n"),
            ("x = 1  # noqa: E501, PIPE201\n", "x = 1  # noqa: E501\n"),
            ("x = 1  # noqa: PIPE201, E501\n", "x = 1  # noqa: E501\n"),
            ("x = 1  # noqa: PIPE201 PIPE101,E501, PIPE203\n", "x = 1  # noqa: E501\n"),
            ("x = 1  # noqa: PIPE201  because it is tiny\n", "x = 1  # because it is tiny\n"),
            ("x = 1  # noqa: PIPE201 # type: ignore\n", "x = 1  # type: ignore\n"),
            ("x = 1  # type: ignore # noqa: PIPE201\n", "x = 1  # type: ignore\n"),
            ("x = 1  # noqa: PIPE201 # pipelint: ignore\n", "x = 1\n"),
            ("x = 1\n    # pipelint: ignore[missing-prefetch]\r\ny = 2\n", "x = 1\ny = 2\n"),
            ("x = 1\n# pipelint: ignore-file", "x = 1\n"),
            ("f(  # pipelint: ignore[PIPE101, no-such-rule]\n)\n", "f(\n)\n"),
            ("x = 1  # pipelint: ignore[]\n", "x = 1\n"),
            ("x = 1  # noqa: PIPE999\n", "x = 1\n"),
            ("x = 1  # noqa: pipe2\n", "x = 1\n"),
        ],
    )
    def test_what_suppresses_nothing_is_taken_away(self, before: str, after: str) -> None:
        assert cleaned(before) == after

    @pytest.mark.parametrize(
        "text",
        [
            "x = 1  # noqa\n",
            "x = 1  # noqa: E501\n",
            "x = 1  # noqa: this is prose\n",
            "x = '# noqa: PIPE201'\n",
            "x = '# pipelint: ignore'\n",
        ],
    )
    def test_what_is_not_pipelints_is_left(self, text: str) -> None:
        assert unused(text) == []

    def test_what_was_used_is_left(self) -> None:
        assert cleaned("ds.map(f)  # noqa: PIPE201, PIPE101\n", "PIPE201") == "ds.map(f)  # noqa: PIPE201\n"
        assert unused("ds.map(f)  # pipelint: ignore\n", None, "PIPE201") == []
        assert unused("ds.map(f)  # noqa # pipelint: ignore-file[PIPE2]\n", None, "PIPE201") == []

    def test_rules_that_did_not_run_are_not_judged(self) -> None:
        ran = {"PIPE201"}
        assert unused("x = 1  # noqa: PIPE101\n", ran) == []
        assert unused("x = 1  # noqa: PIPE2\n", ran) == []
        assert unused("x = 1  # pipelint: ignore\n", ran) == []
        assert len(unused("x = 1  # noqa: PIPE201\n", ran)) == 1
        assert len(unused("x = 1  # noqa: PIPE999\n", ran)) == 1

    def test_rules_that_are_off_by_default_need_not_run(self) -> None:
        suppressions = Suppressions(single("x = 1  # pipelint: ignore\n"))
        assert len(list(suppressions.unused(KNOWN, {"PIPE101", "PIPE201"}, usual={"PIPE101"}))) == 1

    def test_the_report_points_at_the_entries_and_says_why(self) -> None:
        text = "x = 1  # noqa: E501, PIPE201, PIPE999\n"
        (report,) = unused(text)
        assert text[report.region.start : report.region.end] == "PIPE201, PIPE999"
        assert report.message == "`PIPE201` suppresses nothing; `PIPE999` is no rule of pipelint"

    def test_the_last_line_of_a_cell_goes_without_a_trace(self) -> None:
        cells = ["x = 1\n# pipelint: ignore", "y = 2"]
        data = json.dumps({"cells": [{"cell_type": "code", "source": source} for source in cells]}).encode()
        document = load(Path("n.ipynb"), data)
        (report,) = Suppressions(document.units[0]).unused(KNOWN, set(KNOWN))
        assert document.with_edits({0: report.edits}) == data.replace(b"\\n# pipelint: ignore", b"")

    @given(
        st.lists(st.sampled_from(["E501", "PIPE101", "PIPE201", "W605"]), min_size=1, max_size=5),
        st.sampled_from([", ", ",", " "]),
    )
    def test_foreign_codes_stay_in_order(self, codes: list[str], separator: str) -> None:
        after = cleaned(f"x = 1  # noqa: {separator.join(codes)}\n")
        foreign = [code for code in codes if not code.startswith("PIPE")]
        assert after == (f"x = 1  # noqa: {separator.join(foreign)}\n" if foreign else "x = 1\n")


class TestAddNoqa:
    @pytest.mark.parametrize(
        ("before", "after"),
        [
            ("ds.map(f)\n", "ds.map(f)  # noqa: PIPE201\n"),
            ("ds.map(f)", "ds.map(f)  # noqa: PIPE201"),
            ("ds.map(f) \t\r\n", "ds.map(f)  # noqa: PIPE201\r\n"),
            ("ds.map(f)  # why\n", "ds.map(f)  # why  # noqa: PIPE201\n"),
            ("ds.map(f)  # noqa: E501\n", "ds.map(f)  # noqa: E501, PIPE201\n"),
            ("ds.map(f)  # noqa: E501  why\n", "ds.map(f)  # noqa: E501, PIPE201  why\n"),
            ("ds.map(f)  # noqa\n", "ds.map(f)  # noqa\n"),
            ("x = ds \\\n  .map(f) \\\n  .batch(2)\n", "x = ds \\\n  .map(f) \\\n  .batch(2)  # noqa: PIPE201\n"),
            ('ds.map("""\n  x\n""")\n', 'ds.map("""\n  x\n""")  # noqa: PIPE201\n'),
            ('ds.map(f"""\n  {x}\n""")\n', 'ds.map(f"""\n  {x}\n""")  # noqa: PIPE201\n'),
            ("x = (\n  ds.map(f)\n)\n", "x = (\n  ds.map(f)  # noqa: PIPE201\n)\n"),
            ("ds.map(f)  # a \\\n", "ds.map(f)  # a \\  # noqa: PIPE201\n"),
        ],
    )
    def test_a_comment_is_added_where_one_can_stand(self, before: str, after: str) -> None:
        unit = single(before)
        changed = apply(before, noqa_edits(unit, [finding(unit)]))
        assert changed == after
        assert silenced(changed)

    def test_findings_of_one_line_share_a_comment(self) -> None:
        unit = single("ds.map(f).batch(2)\n")
        found = [finding(unit), finding(unit, "batch", "PIPE101"), finding(unit, "batch", "PIPE101")]
        assert apply(unit.text, noqa_edits(unit, found)) == "ds.map(f).batch(2)  # noqa: PIPE101, PIPE201\n"
