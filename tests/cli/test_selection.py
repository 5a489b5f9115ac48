"""What `check` looks at and for: files, standard input, rules, and the target TensorFlow."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from tests.workspace import IMPORT, PIPELINT, Workspace, tf


class TestWhatIsChecked:
    def test_the_current_directory_by_default(self, slow: Workspace) -> None:
        slow.write("deep/er/train.py", tf("x = tf.size(1)"))
        assert "deep/er/train.py:2:5" in slow.check().stdout

    def test_files_and_directories_each_once(self, slow: Workspace) -> None:
        slow.write("a/train.py", tf("x = tf.size(1)"))
        slow.write("b.py", tf("x = tf.size(1)"))
        outcome = slow.check("a", "a/train.py", "b.py", "--output-format=concise", "--quiet")
        assert [line.split(":")[0] for line in outcome.stdout.splitlines()] == ["a/train.py", "b.py"]

    def test_a_path_outside_the_working_directory_is_absolute(self, slow: Workspace, tmp_path: Path) -> None:
        slow.write("../other/train.py", tf("x = tf.size(1)"))
        slow.write("../other/pyproject.toml", slow.read("pyproject.toml").replace("own_rules", "../project/own_rules"))
        outcome = slow.check("../other", "--output-format=concise")
        assert outcome.stdout.startswith(f"{tmp_path.as_posix()}/other/train.py:2:5")

    def test_a_missing_path_is_an_error_and_the_others_go_on(self, slow: Workspace) -> None:
        slow.write("train.py", tf("x = tf.size(1)"))
        outcome = slow.check("missing.py", "train.py")
        assert outcome.status == 2
        assert outcome.errors == ["pipelint: missing.py: does not exist"]
        assert "train.py:2:5" in outcome.stdout

    def test_test_files_are_silent_even_when_named(self, slow: Workspace) -> None:
        for name in ("test_train.py", "train_test.py", "tests/data.py"):
            slow.write(name, tf("x = tf.size(1)"))
            assert slow.check(name).status == 0
        slow.configure("check-tests = true")
        assert slow.check().stdout.count("no-size") == 3

    def test_excluded_files_are_checked_when_named_unless_forced(self, slow: Workspace) -> None:
        slow.write("own_rules_too/train.py", tf("x = tf.size(1)"))
        configuration = slow.read("pyproject.toml").replace('exclude = ["own_rules"]', 'exclude = ["own_rules*"]')
        slow.write("pyproject.toml", configuration)
        assert slow.check().status == 0
        assert slow.check("own_rules_too/train.py").status == 1
        assert slow.check("--force-exclude", "own_rules_too/train.py").status == 0

    def test_each_file_has_its_nearest_configuration(self, slow: Workspace) -> None:
        slow.write("train.py", tf("x = tf.size(1)"))
        slow.write("part/train.py", tf("x = tf.size(1)"))
        slow.write("part/skipped.py", tf("x = tf.size(1)"))
        slow.write(
            "part/pyproject.toml",
            '[tool.pipelint]\nselect = ["TEST"]\nrule-paths = ["../own_rules"]\nexclude = ["skipped.py"]\n'
            'severity = {no-size = "error"}\n',
        )
        outcome = slow.check("--output-format=concise", "--quiet")
        assert [line.split(" TEST")[0] for line in outcome.stdout.splitlines()] == [
            "part/train.py:2:5: error",
            "train.py:2:5: warning",
        ]

    @pytest.mark.parametrize(
        ("toml", "told"),
        [
            ("[tool.pipelint]\nselect = [", "part/pyproject.toml:2: is not valid TOML: "),
            ('[tool.pipelint]\nselct = ["TEST"]', "part/pyproject.toml:2: unknown key 'selct'; did you mean select?"),
            ('[tool.pipelint]\nselect = ["ACME1"]', "part/pyproject.toml:2: select: unknown rule 'ACME1'"),
            ("[tool]\npipelint = 3", "part/pyproject.toml:2: tool.pipelint must be a table"),
            ('[tool.pipelint]\nbaseline = "none.json"', "part/pyproject.toml: baseline part/none.json does not exist"),
        ],
        ids=["broken", "with an unknown key", "for other rules", "of another tool", "without its baseline"],
    )
    @pytest.mark.parametrize("paths", [(), ("part/deep/train.py", "train.py", "part")], ids=["found", "named"])
    def test_a_configuration_that_cannot_be_used_costs_its_folder(
        self, slow: Workspace, toml: str, told: str, paths: tuple[str, ...]
    ) -> None:
        slow.write("part/pyproject.toml", toml)
        for name in ("a.py", "part/deep/train.py", "part/train.py", "train.py"):
            slow.write(name, tf("x = tf.size(1)"))
        outcome = slow.check("--fix", *paths)
        assert outcome.status == 2
        (line,) = outcome.errors
        assert line.startswith(f"pipelint: {told}")
        assert line.endswith("; the files of this folder are not checked")
        fixed, files = ("1 finding", "1 file") if paths else ("2 findings", "2 files")
        assert outcome.stdout == f"Fixed {fixed}. No findings in {files}, but 1 file could not be checked.\n"
        assert slow.read("train.py") == tf("x = tf.shape_n(1)")
        assert slow.read("part/train.py") == tf("x = tf.size(1)")

    def test_nothing_is_said_of_a_folder_that_is_excluded(self, slow: Workspace) -> None:
        slow.write("own_rules/vendored/pyproject.toml", "[tool.pipelint]\nselect = [")
        slow.write("own_rules/vendored/train.py", tf("x = tf.size(1)"))
        slow.write("train.py", tf())
        assert slow.check().errors == []

    def test_config_replaces_the_nearest_configuration(self, slow: Workspace) -> None:
        slow.write("train.py", tf("x = tf.size(1)"))
        slow.write("strict.toml", slow.read("pyproject.toml") + 'severity = {no-size = "error"}\n')
        assert ": error TEST101" in slow.check("--config", "strict.toml").stdout


class TestStandardInput:
    SOURCE = tf("x = tf.size(1)")

    def test_a_dash_reads_the_source(self, slow: Workspace) -> None:
        outcome = slow.check("-", "--output-format=concise", stdin=self.SOURCE)
        assert outcome.status == 1
        assert outcome.stdout.startswith("-:2:5: warning TEST101")

    def test_its_file_name_gives_path_configuration_and_kind(self, slow: Workspace) -> None:
        outcome = slow.check("-", "--stdin-filename=src/train.py", "--output-format=concise", stdin=self.SOURCE)
        assert outcome.stdout.startswith("src/train.py:2:5")
        notebook = slow.notebook("n.ipynb", self.SOURCE).read_bytes()
        outcome = slow.check("-", "--stdin-filename=n.ipynb", "--output-format=concise", stdin=notebook)
        assert outcome.stdout.startswith("n.ipynb:cell 2:2:5")

    def test_fix_prints_the_source_and_reports_on_stderr(self, slow: Workspace) -> None:
        outcome = slow.check("-", "--fix", stdin=tf("x = tf.size(1)", "y = tf.shape(1)"))
        assert outcome.stdout == tf("x = tf.shape_n(1)", "y = tf.shape(1)")
        assert "-:3:5: error TEST201 no-shape" in outcome.stderr
        assert outcome.status == 1

    def test_fix_reports_json_on_stderr(self, slow: Workspace) -> None:
        outcome = slow.check("-", "--fix", "--output-format=json", stdin=tf("def ("))
        assert outcome.stdout == tf("def (")
        assert len(json.loads(outcome.stderr)["errors"]) == 1

    def test_fix_keeps_line_ends_and_prints_what_cannot_be_parsed_as_it_was(self, slow: Workspace) -> None:
        for source in (f"{IMPORT}\r\nx = 1\r\n".encode(), f"{IMPORT}\ndef (\n".encode()):
            command = [*PIPELINT, "check", "--fix", "-"]
            completed = subprocess.run(command, input=source, capture_output=True, check=False)
            assert completed.stdout == source

    def test_a_test_file_is_silent(self, slow: Workspace) -> None:
        assert slow.check("-", "--stdin-filename=test_train.py", stdin=self.SOURCE).status == 0

    def test_an_excluded_file_is_silent_when_forced(self, slow: Workspace) -> None:
        arguments = ["-", "--stdin-filename=own_rules/x.py"]
        assert slow.check(*arguments, stdin=self.SOURCE).status == 1
        assert slow.check(*arguments, "--force-exclude", stdin=self.SOURCE).status == 0

    def test_it_stands_alone(self, slow: Workspace) -> None:
        outcome = slow.check("-", "train.py", stdin=self.SOURCE)
        assert outcome.status == 2
        assert "standard input" in outcome.stderr


class TestSelection:
    @pytest.fixture
    def codes(self, slow: Workspace) -> Workspace:
        slow.rule("TEST202", "no-rank-either", "rank", default=False)
        slow.write("train.py", tf("tf.size(1), tf.rank(1), tf.shape(1)"))
        return slow

    def found(self, workspace: Workspace, *options: str) -> list[str]:
        return sorted(finding["code"] for finding in workspace.check("--output-format=json", *options).json["findings"])

    @pytest.mark.parametrize(
        ("options", "expected"),
        [
            (["--select=TEST101"], ["TEST101"]),
            (["--select=no-size,no-rank"], ["TEST101", "TEST102"]),
            (["--select=no-size", "--select=TEST102"], ["TEST101", "TEST102"]),
            (["--select=TEST2"], ["TEST201", "TEST202"]),
            (["--select=TEST1", "--extend-select=no-shape"], ["TEST101", "TEST102", "TEST201"]),
            (["--select=TEST", "--ignore=TEST2"], ["TEST101", "TEST102"]),
            (["--select=TEST201", "--ignore=TEST2"], ["TEST201"]),
            (["--select=TEST201", "--ignore=no-shape"], []),
            (["--ignore=TEST1"], ["TEST201", "TEST202"]),
        ],
    )
    def test_codes_names_and_families(self, codes: Workspace, options: list[str], expected: list[str]) -> None:
        assert self.found(codes, *options) == expected

    def test_the_command_line_decides_over_the_configuration(self, codes: Workspace) -> None:
        codes.configure('ignore = ["TEST101"]', select="TEST102")
        assert self.found(codes) == ["TEST102"]
        assert self.found(codes, "--select=TEST101") == ["TEST101"]
        assert self.found(codes, "--ignore=TEST1") == []
        assert self.found(codes, "--extend-select=TEST2") == ["TEST102", "TEST201", "TEST202"]

    def test_a_rule_can_be_off_by_default(self, codes: Workspace) -> None:
        codes.write("pyproject.toml", codes.read("pyproject.toml").replace('select = ["TEST"]', ""))
        assert self.found(codes) == ["TEST101", "TEST102", "TEST201"]

    def test_per_file_ignores(self, codes: Workspace) -> None:
        codes.configure("""
            [tool.pipelint.per-file-ignores]
            "train.py" = ["TEST1", "no-shape"]
        """)
        assert self.found(codes) == ["TEST202"]

    def test_the_configuration_sets_severities(self, codes: Workspace) -> None:
        codes.configure('severity = {no-size = "error", TEST201 = "advice"}')
        findings = codes.check("--output-format=json").json["findings"]
        severities = {finding["code"]: finding["severity"] for finding in findings}
        assert (severities["TEST101"], severities["TEST201"]) == ("error", "advice")

    def test_suppressions(self, codes: Workspace) -> None:
        codes.write("train.py", tf("tf.size(1)  # noqa: TEST101", "tf.shape(1)  # pipelint: ignore[no-shape]"))
        assert self.found(codes) == []
        codes.write("train.py", tf("# pipelint: ignore-file", "tf.size(1)"))
        assert self.found(codes) == []


class TestTargetTensorFlow:
    @pytest.fixture
    def project(self, workspace: Workspace) -> Workspace:
        workspace.raw_rule(
            "target",
            """
            from pipelint.model.locations import Region
            from pipelint.model.grades import Severity
            from pipelint.rule import Rule

            class Target(Rule):
                '''Tells the target.'''
                code, name, severity, fix = "TEST900", "tell-target", Severity.WARNING, "none"

                def check(self, program):
                    yield self.finding(Region(0, 6), f"for {program.target}")
            """,
        )
        workspace.write("train.py", tf())
        return workspace

    def test_the_newest_by_default(self, project: Workspace) -> None:
        assert "for (2, 21)" in project.check().stdout

    @pytest.mark.parametrize(
        ("requirement", "told"),
        [("tensorflow==2.8.1", True), ("tensorflow>=2.8,<2.11", True), ("tensorflow>=2.8", False)],
    )
    def test_a_requirement_that_admits_newer_ones_is_no_proof_of_an_old_one(
        self, project: Workspace, requirement: str, told: bool
    ) -> None:
        project.write("train.py", "import tensorflow as tf\nmodel.fit(tf.data.TFRecordDataset(files).batch(32))\n")
        project.write("requirements.txt", requirement)
        assert ("PIPE101" in project.check("--output-format=concise", "--select=PIPE101").stdout) is told

    def test_the_project_requirement_then_configuration_then_option(self, project: Workspace) -> None:
        project.write("requirements.txt", "tensorflow>=2.8\n")
        assert "for (2, 8)" in project.check().stdout
        project.configure('target-tensorflow = "2.10"')
        assert "for (2, 10)" in project.check().stdout
        assert "for (2, 16)" in project.check("--target-tensorflow=2.16").stdout
