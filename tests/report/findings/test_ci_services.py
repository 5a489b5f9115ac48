"""The formats that CI services show: GitHub's annotations, GitLab's code quality, and JUnit."""

from __future__ import annotations

from typing import ClassVar

import pytest

from tests.report.findings.report_readers import commands, entries, suites, text
from tests.workspace import Workspace, tf

pytestmark = pytest.mark.usefixtures("no_ci")


class TestGitHub:
    def test_a_command_for_each_finding_the_worst_first(self, slow: Workspace) -> None:
        slow.write("train.py", tf("tf.rank(1), tf.size(1), tf.shape(1)"))
        assert text(slow, "github").splitlines() == [
            "::error file=train.py,line=2,endLine=2,col=25,endColumn=33,title=TEST201 no-shape::tf.shape is slow",
            "::warning file=train.py,line=2,endLine=2,col=13,endColumn=20,title=TEST101 no-size::tf.size is slow",
            "::notice file=train.py,line=2,endLine=2,col=1,endColumn=8,title=TEST102 no-rank::tf.rank is slow",
        ]

    def test_a_span_of_several_lines_has_no_columns(self, slow: Workspace) -> None:
        slow.write("train.py", tf("(tf", ".size)(1)"))
        [(_, properties, _)] = commands(slow)
        assert properties == {"file": "train.py", "line": "2", "endLine": "3", "title": "TEST101 no-size"}

    def test_failed_files_are_errors(self, failing: Workspace) -> None:
        found = [(kind, p["file"], p.get("line")) for kind, p, _ in commands(failing, ".", "missing.py")]
        assert found[0] == ("error", "broken.py", "3")
        assert found[1] == ("error", "missing.py", None)
        assert found[2][:2] == ("error", "n.ipynb")
        assert found[3][:2] == ("warning", "train.py")

    @pytest.mark.parametrize(
        ("errors", "warnings", "advice", "shown", "note"),
        [
            (10, 10, 10, (10, 10, 10), None),
            (0, 11, 0, (0, 10, 1), "1 warning"),
            (12, 10, 10, (10, 10, 10), "2 errors, 1 notice"),
            (0, 0, 12, (0, 0, 10), "3 notices"),
        ],
    )
    def test_no_more_than_github_shows_and_how_many_are_missing(
        self, slow: Workspace, errors: int, warnings: int, advice: int, shown: tuple[int, ...], note: str | None
    ) -> None:
        for number in range(advice):
            slow.rule(f"TEST3{number:02}", f"no-f{number}", f"f{number}", severity="ADVICE")
        lines = [f"tf.f{number}(1)" for number in range(advice)] + ["tf.size(1)"] * warnings + ["tf.shape(1)"] * errors
        slow.write("train.py", tf(*lines))
        found = commands(slow)
        assert tuple(sum(kind == k for kind, _, _ in found) for k in ("error", "warning", "notice")) == shown
        assert (f"Not shown: {note}." in found[-1][2]) if note else ("Not shown" not in found[-1][2])

    def test_one_notice_for_the_advice_of_a_rule_tells_all_its_places(self, slow: Workspace) -> None:
        slow.write("a.py", tf("tf.rank(1), tf.rank(2)"))
        slow.write("b.py", tf("tf.rank(3)"))
        [(kind, properties, message)] = commands(slow)
        assert (kind, properties["file"], properties["col"]) == ("notice", "a.py", "1")
        assert message == "tf.rank is slow\nThe same rule has advice at a.py:2:13, b.py:2:1."
        slow.write("b.py", tf(*["tf.rank(3)"] * 40))
        [(_, _, message)] = commands(slow)
        assert message.endswith("b.py:20:1 and 21 more.")

    def test_what_the_runner_reads_is_what_was_meant(self, hostile: Workspace) -> None:
        found = commands(hostile)
        files = {properties["file"] for _, properties, _ in found}
        assert {"a %,:[b]&<c>`|.py", "new\nline\ufffd.py", "mirror\u202e.py"} <= files
        for kind, properties, message in found:
            assert kind == "warning"
            assert list(properties) == ["file", "line", "endLine", "col", "endColumn", "title"]
            assert message.startswith("50%, [a](b) `x` | y ::error::z")

    def test_in_a_directory_of_a_checkout_paths_start_at_its_top(
        self, slow: Workspace, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("GITHUB_WORKSPACE", str(slow.root.parent))
        slow.write("train.py", tf("tf.size(1)"))
        assert commands(slow)[0][1]["file"] == "project/train.py"

    def test_a_clean_run_says_nothing(self, slow: Workspace) -> None:
        slow.write("train.py", tf("x = 1"))
        assert text(slow, "github") == ""


class TestGitLab:
    def test_a_report_in_full(self, slow: Workspace) -> None:
        slow.write("src/train.py", tf("tf.shape(1), tf.size(1), tf.rank(1)"))
        found = entries(slow)
        assert [entry["severity"] for entry in found] == ["major", "minor", "info"]
        assert found[0] == {
            "description": "no-shape: tf.shape is slow",
            "check_name": "TEST201",
            "fingerprint": found[0]["fingerprint"],
            "severity": "major",
            "location": {"path": "src/train.py", "lines": {"begin": 2, "end": 2}},
        }

    def test_failed_files_are_major(self, failing: Workspace) -> None:
        found = entries(failing, ".", "missing.py")
        assert [entry["severity"] for entry in found] == ["major", "major", "major", "minor"]
        assert len({entry["fingerprint"] for entry in found}) == 4
        assert found[0]["location"] == {"path": "broken.py", "lines": {"begin": 3}}

    def test_in_a_directory_of_a_checkout_paths_start_at_its_top(
        self, slow: Workspace, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("CI_PROJECT_DIR", str(slow.root.parent))
        slow.write("train.py", tf("tf.size(1)"))
        assert entries(slow)[0]["location"]["path"] == "project/train.py"

    def test_a_clean_run_is_an_empty_list(self, slow: Workspace) -> None:
        slow.write("train.py", tf("x = 1"))
        assert entries(slow) == []

    def test_every_parser_takes_the_paths(self, hostile: Workspace) -> None:
        for entry in entries(hostile):
            entry["location"]["path"].encode()


class TestJUnit:
    # What the schema of Jenkins allows; it refuses anything else.
    ATTRIBUTES: ClassVar = {
        "testsuites": {"name", "tests", "failures", "errors"},
        "testsuite": {"name", "tests", "failures", "errors", "skipped"},
        "testcase": {"name", "classname"},
        "failure": {"type", "message"},
        "error": {"type", "message"},
        "skipped": {"type", "message"},
    }

    def test_a_suite_for_each_file_and_a_failed_case_for_each_finding(self, slow: Workspace) -> None:
        slow.write("a.py", tf("tf.shape(1), tf.size(1)"))
        slow.write("b.py", tf("tf.size(1)"))
        root = suites(slow)
        assert root.attrib == {"name": "pipelint", "tests": "3", "failures": "3", "errors": "0"}
        assert [suite.attrib for suite in root] == [
            {"name": "a.py", "tests": "2", "failures": "2", "errors": "0", "skipped": "0"},
            {"name": "b.py", "tests": "1", "failures": "1", "errors": "0", "skipped": "0"},
        ]
        case = root[1][0]
        assert case.attrib == {"classname": "b.py", "name": "TEST101 no-size"}
        assert case[0].attrib == {"type": "warning", "message": "b.py:2:1: tf.size is slow"}
        assert case[0].text == "b.py:2:1: tf.size is slow\ntf.size(1)\nsafe fix: write tf.shape_n"

    def test_advice_is_no_failure_unless_it_fails_the_run(self, slow: Workspace) -> None:
        slow.write("a.py", tf("tf.rank(1), tf.size(1)"))
        [suite] = suites(slow)
        assert suite.attrib == {"name": "a.py", "tests": "2", "failures": "1", "errors": "0", "skipped": "1"}
        assert suite[0][0].attrib == {"type": "advice", "message": "a.py:2:1: tf.rank is slow"}
        [suite] = suites(slow, "--fail-on=advice")
        assert suite.attrib == {"name": "a.py", "tests": "2", "failures": "2", "errors": "0", "skipped": "0"}

    def test_cases_have_names_of_their_own_that_stay_when_lines_move(self, slow: Workspace) -> None:
        for shift in (0, 5):
            slow.write("a.py", tf(*["x = 1"] * shift, "tf.size(1), tf.size(2)"))
            names = [case.get("name") for case in suites(slow).iter("testcase")]
            assert names == ["TEST101 no-size", "TEST101 no-size (2)"]

    def test_failed_files_are_errors(self, failing: Workspace) -> None:
        root = suites(failing, ".", "missing.py")
        assert (root.get("tests"), root.get("failures"), root.get("errors")) == ("4", "1", "3")
        [error] = root.findall("testsuite[@name='n.ipynb']/testcase/error")
        assert (error.get("message") or "").startswith("cell 3, line 2: ")

    def test_a_clean_run_is_a_case_that_passed(self, slow: Workspace) -> None:
        slow.write("train.py", tf("x = 1"))
        root = suites(slow)
        assert root.attrib == {"name": "pipelint", "tests": "1", "failures": "0", "errors": "0"}
        assert [list(case) for case in root.iter("testcase")] == [[]]

    def test_jenkins_knows_every_attribute(self, hostile: Workspace, failing: Workspace) -> None:
        for element in suites(hostile).iter():
            assert set(element.attrib) <= self.ATTRIBUTES[element.tag]
