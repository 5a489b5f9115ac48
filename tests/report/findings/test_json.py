"""The JSON of `check`: what other programs rely on."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.workspace import IMPORT, Workspace, tf


def report(workspace: Workspace, *options: str | Path) -> Any:
    return workspace.check("--output-format=json", *options).json


def applied(text: str, edits: list[dict[str, Any]]) -> str:
    """The text after edits, as a program that knows nothing of pipelint would do it."""
    lines = [*text.splitlines(keepends=True), ""]
    starts = [sum(map(len, lines[:number])) for number in range(len(lines))]
    for edit in sorted(edits, key=lambda edit: (edit["line"], edit["column"]), reverse=True):
        start = starts[edit["line"] - 1] + edit["column"] - 1
        end = starts[edit["end_line"] - 1] + edit["end_column"] - 1
        text = text[:start] + edit["text"] + text[end:]
    return text


class TestShape:
    def test_a_report_in_full(self, slow: Workspace) -> None:
        slow.write("src/train.py", tf("x = tf.size(1)"))
        place = {"path": "src/train.py", "cell": None, "line": 2, "column": 5, "end_line": 2, "end_column": 12}
        assert report(slow) == {
            "version": 1,
            "findings": [
                {
                    "code": "TEST101",
                    "name": "no-size",
                    "severity": "warning",
                    "message": "tf.size is slow",
                    **place,
                    "fix": {"safety": "safe", "title": "write tf.shape_n", "edits": [{**place, "text": "tf.shape_n"}]},
                    "related": [],
                    "url": None,
                }
            ],
            "errors": [],
            "summary": {"files": 1, "errors": 0, "warnings": 1, "advice": 0, "fixable": 1, "fixed": 0},
        }

    def test_a_finding_without_fix(self, slow: Workspace) -> None:
        slow.write("train.py", tf("tf.shape(1)"))
        [finding] = report(slow)["findings"]
        assert finding["fix"] is None
        assert finding["severity"] == "error"

    def test_related_places(self, workspace: Workspace) -> None:
        workspace.raw_rule(
            "related",
            """
            from pipelint.model.locations import Region
            from pipelint.model.finding import Related
            from pipelint.model.grades import Severity
            from pipelint.rule import Rule

            class Tell(Rule):
                '''Relates.'''
                code, name, severity, fix = "TEST900", "tell", Severity.WARNING, "none"

                def check(self, program):
                    yield self.finding(Region(0, 6), "here", related=(Related(Region(7, 17), "imported"),))
            """,
        )
        workspace.write("train.py", tf("x = 1"))
        [finding] = report(workspace)["findings"]
        assert finding["related"] == [{"path": "train.py", "cell": None, "line": 1, "column": 8, "message": "imported"}]
        assert "= note: train.py:1:8: imported\n" in workspace.check().stdout

    def test_rules_of_pipelint_have_a_page(self, workspace: Workspace) -> None:
        source = tf("ds = tf.data.TFRecordDataset('a').map(f, 1).batch(2)", "model.fit(ds)")
        workspace.write("train.py", source)
        workspace.configure(select="PIPE")
        urls = {finding["name"]: finding["url"] for finding in report(workspace)["findings"]}
        assert urls
        for name, url in urls.items():
            assert url == f"https://github.com/pipelint/pipelint/blob/main/docs/rules/{name}.md"


class TestPlaces:
    def test_columns_count_code_points_from_1(self, slow: Workspace) -> None:
        slow.write("train.py", tf("x = '世😀', tf.size(1)"))
        [finding] = report(slow)["findings"]
        assert (finding["column"], finding["end_column"]) == (11, 18)

    def test_a_notebook_counts_all_cells_and_lines_inside_them(self, slow: Workspace) -> None:
        slow.notebook("n.ipynb", IMPORT, "!ls\n%time\nx = tf.size(1)")
        [finding] = report(slow)["findings"]
        assert (finding["cell"], finding["line"], finding["column"]) == (3, 3, 5)
        [edit] = finding["fix"]["edits"]
        assert (edit["cell"], edit["line"], edit["column"]) == (3, 3, 5)

    def test_findings_are_sorted_by_path_cell_line_column_and_code(self, slow: Workspace) -> None:
        slow.rule("TEST100", "no-size-either", "size")
        slow.write("b.py", tf("tf.size(1), tf.size(2)", "tf.size(3)"))
        slow.notebook("a.ipynb", IMPORT, "tf.size(1)", *["1"] * 8, "tf.size(2)")
        findings = report(slow, "b.py", "a.ipynb")["findings"]
        keys = [(f["path"], f["cell"] or 0, f["line"], f["column"], f["code"]) for f in findings]
        assert len(keys) == 10
        assert keys == sorted(keys)

    def test_edits_apply_with_any_tool(self, slow: Workspace) -> None:
        source = tf("x = '世', tf.size(", "  tf.size(2))")
        path = slow.write("train.py", source)
        edits = [edit for finding in report(slow)["findings"] for edit in finding["fix"]["edits"]]
        slow.check("--fix")
        assert applied(source, edits) == path.read_text("utf-8")

    def test_edits_apply_to_the_source_of_a_cell(self, slow: Workspace) -> None:
        cell = "!pip install x\n%time\nx = tf.size(1)"
        path = slow.notebook("n.ipynb", IMPORT, cell)
        [finding] = report(slow)["findings"]
        slow.check("--fix")
        written = "".join(json.loads(path.read_bytes())["cells"][2]["source"])
        assert applied(cell, finding["fix"]["edits"]) == written


class TestSummary:
    def test_counts_what_is_left_and_what_was_fixed(self, slow: Workspace) -> None:
        slow.write("a.py", tf("tf.size(1), tf.size(2), tf.rank(1), tf.shape(1)"))
        slow.write("b.py", "x = 1\n")
        assert report(slow)["summary"] == {
            "files": 2,
            "errors": 1,
            "warnings": 2,
            "advice": 1,
            "fixable": 3,
            "fixed": 0,
        }
        assert report(slow, "--fix")["summary"] == {
            "files": 2,
            "errors": 1,
            "warnings": 0,
            "advice": 1,
            "fixable": 1,
            "fixed": 2,
        }

    def test_nothing_to_say_is_still_a_report(self, slow: Workspace) -> None:
        assert report(slow)["findings"] == []


class TestErrors:
    def test_are_entries_beside_the_findings(self, failing: Workspace) -> None:
        outcome = failing.check("--output-format=json", "missing.py", ".")
        errors = outcome.json["errors"]
        assert outcome.status == 2
        assert outcome.stderr == ""
        assert len(outcome.json["findings"]) == 1
        assert all(list(error) == ["path", "cell", "line", "message"] for error in errors)
        places = [(error["path"], error["cell"]) for error in errors]
        assert places == [("broken.py", None), ("missing.py", None), ("n.ipynb", 3)]
        assert errors[0]["line"] == 3

    def test_wrong_usage_prints_no_json(self, failing: Workspace) -> None:
        outcome = failing.check("--output-format=json", "--select=nothing")
        assert (outcome.status, outcome.stdout) == (2, "")


@pytest.mark.skipif(sys.platform != "linux", reason="file names are text elsewhere")
def test_a_name_that_is_no_text_is_reported(slow: Workspace) -> None:
    name = b"tr\xffain.py"
    slow.write(os.fsdecode(name), tf("tf.size(1)"))
    for output_format in ("json", "full", "concise"):
        command = [sys.executable, "-m", "pipelint", "check", f"--output-format={output_format}"]
        completed = subprocess.run(command, capture_output=True, check=False)
        assert completed.returncode == 1
        assert completed.stderr == b""
        if output_format == "json":
            assert os.fsencode(json.loads(completed.stdout)["findings"][0]["path"]) == name
