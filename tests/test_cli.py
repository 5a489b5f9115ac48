"""The command line as people meet it: options, exit status, output and manners."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import pipelint
from tests.workspace import IMPORT, Workspace, tf

PIPELINT = [sys.executable, "-m", "pipelint"]


class TestExitStatus:
    def test_nothing_found_is_0(self, slow: Workspace) -> None:
        slow.write("train.py", tf("x = 1"))
        assert slow.check().status == 0

    def test_a_warning_is_1(self, slow: Workspace) -> None:
        slow.write("train.py", tf("x = tf.size(1)"))
        assert slow.check().status == 1

    def test_advice_is_shown_and_does_not_fail_the_run(self, slow: Workspace) -> None:
        slow.write("train.py", tf("x = tf.rank(1)"))
        outcome = slow.check()
        assert outcome.status == 0
        assert "no-rank" in outcome.stdout

    @pytest.mark.parametrize(("severity", "status"), [("advice", 1), ("warning", 1), ("error", 0)])
    def test_fail_on_sets_the_least_severity_that_fails(self, slow: Workspace, severity: str, status: int) -> None:
        slow.write("train.py", tf("x = tf.size(1)"))
        assert slow.check("--fail-on", severity).status == status

    def test_fail_on_can_be_configured(self, slow: Workspace) -> None:
        slow.configure('fail-on = "error"')
        slow.write("train.py", tf("x = tf.size(1)"))
        assert slow.check().status == 0
        assert slow.check("--fail-on=warning").status == 1

    def test_exit_zero_hides_findings(self, slow: Workspace) -> None:
        slow.write("train.py", tf("x = tf.size(1)"))
        assert slow.check("--exit-zero").status == 0

    def test_exit_zero_does_not_hide_a_failed_file_and_2_wins_over_1(self, slow: Workspace) -> None:
        slow.write("broken.py", tf("def ("))
        slow.write("train.py", tf("x = tf.size(1)"))
        for options in ([], ["--exit-zero"]):
            outcome = slow.check(*options)
            assert outcome.status == 2
            assert "train.py:2:5" in outcome.stdout
            assert outcome.errors == ["pipelint: broken.py:2: syntax error: invalid syntax"]


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


class TestFullFormat:
    def test_shows_the_place_the_reason_and_the_fix(self, slow: Workspace) -> None:
        slow.write("train.py", tf("x = [tf.size(1), tf.rank(1)]", "y = tf.shape(x)"))
        assert slow.check().stdout == (
            "train.py:2:6: warning TEST101 no-size: tf.size is slow\n"
            "  |\n"
            "2 | x = [tf.size(1), tf.rank(1)]\n"
            "  |      ^^^^^^^\n"
            "  |\n"
            "  = fix (safe): write tf.shape_n\n"
            "\n"
            "train.py:2:18: advice TEST102 no-rank: tf.rank is slow\n"
            "  |\n"
            "2 | x = [tf.size(1), tf.rank(1)]\n"
            "  |                  ^^^^^^^\n"
            "  |\n"
            "  = fix (unsafe, --unsafe-fixes): write tf.ndim\n"
            "\n"
            "train.py:3:5: error TEST201 no-shape: tf.shape is slow\n"
            "  |\n"
            "3 | y = tf.shape(x)\n"
            "  |     ^^^^^^^^\n"
            "  |\n"
            "\n"
            "Found 1 error, 1 warning and 1 advice in 1 file; 1 fixable with --fix, 1 more with --unsafe-fixes.\n"
        )

    def test_tabs_and_wide_characters_keep_the_caret_in_place(self, slow: Workspace) -> None:
        slow.write("train.py", tf("if True:", "\tx = '世界', tf.size(1)"))
        lines = slow.check().stdout.splitlines()
        assert lines[2:4] == ["3 |     x = '世界', tf.size(1)", "  |                 ^^^^^^^"]

    def test_a_span_over_several_lines_is_marked_on_each(self, slow: Workspace) -> None:
        slow.write("train.py", tf("x = (tf", "     .size)"))
        assert slow.check().stdout.splitlines()[2:6] == [
            "2 | x = (tf",
            "  |      ^^",
            "3 |      .size)",
            "  |      ^^^^^",
        ]

    def test_a_long_line_is_cut_around_the_span(self, slow: Workspace) -> None:
        slow.write("train.py", tf(f"x = '{'a' * 5000}', tf.size(1), '{'b' * 5000}'"))
        line, carets = slow.check().stdout.splitlines()[2:4]
        assert len(line) < 220
        assert line.index("tf.size") == carets.index("^")

    def test_a_place_in_a_notebook_names_the_cell(self, slow: Workspace) -> None:
        slow.notebook("train.ipynb", IMPORT, "%matplotlib inline\n\nx = tf.size(1)")
        assert slow.check().stdout.splitlines()[:4] == [
            "train.ipynb:cell 3:3:5: warning TEST101 no-size: tf.size is slow",
            "  |",
            "3 | x = tf.size(1)",
            "  |     ^^^^^^^",
        ]

    def test_nothing_in_the_source_steers_the_terminal(self, slow: Workspace) -> None:
        slow.rule("TEST300", "no-cast", "cast", message="bell \a and\nline")
        slow.write("tr\x1b[31main.py", tf("x = '\x1b[2J\u202e', tf.cast(1)"))
        outcome = slow.check("--color=never")
        assert not {"\x1b", "\a", "\u202e"} & set(outcome.stdout)
        assert "tr␛[31main.py:2:14: warning TEST300 no-cast: bell ␇ and line" in outcome.stdout

    def test_says_so_when_all_is_clean(self, slow: Workspace) -> None:
        slow.write("train.py", tf("x = 1"))
        assert slow.check().stdout == "All clean: 1 file checked.\n"

    def test_does_not_call_a_failed_run_clean(self, slow: Workspace) -> None:
        slow.write("broken.py", tf("def ("))
        assert slow.check().stdout == "No findings in 1 file, but 1 file could not be checked.\n"


class TestOutput:
    @pytest.fixture
    def project(self, slow: Workspace) -> Workspace:
        slow.write("train.py", tf("tf.size(1), tf.size(2), tf.rank(1)"))
        return slow

    def test_concise_is_one_line_per_finding(self, project: Workspace) -> None:
        assert project.check("--output-format=concise").stdout == (
            "train.py:2:1: warning TEST101 no-size: tf.size is slow [safe fix]\n"
            "train.py:2:13: warning TEST101 no-size: tf.size is slow [safe fix]\n"
            "train.py:2:25: advice TEST102 no-rank: tf.rank is slow [unsafe fix]\n"
            "Found 2 warnings and 1 advice in 1 file; 2 fixable with --fix, 1 more with --unsafe-fixes.\n"
        )

    def test_statistics_count_per_rule_in_place_of_the_findings(self, project: Workspace) -> None:
        outcome = project.check("--statistics", "--quiet")
        assert outcome.stdout == "2  TEST101  no-size\n1  TEST102  no-rank\n"
        assert outcome.status == 1

    def test_statistics_leave_json_alone(self, project: Workspace) -> None:
        outcome = project.check("--statistics", "--output-format=json", "--quiet")
        assert len(outcome.json["findings"]) == 3
        assert outcome.stderr == "2  TEST101  no-size\n1  TEST102  no-rank\n"

    def test_quiet_leaves_the_summary_out(self, project: Workspace) -> None:
        assert "Found" not in project.check("--quiet").stdout
        project.write("train.py", tf())
        assert project.check("--quiet").stdout == ""

    def test_output_file_takes_the_report_without_colours(self, project: Workspace) -> None:
        outcome = project.check("--output-file=report.txt", "--color=always")
        assert outcome.stdout == ""
        assert project.read("report.txt") == project.check().stdout

    def test_problems_are_on_stderr_too_when_json_goes_to_a_file(self, project: Workspace) -> None:
        project.write("broken.py", tf("def ("))
        assert project.check("--output-format=json").stderr == ""
        assert "broken.py:2" in project.check("--output-format=json", "--output-file=report.json").stderr

    @pytest.mark.parametrize(
        ("arguments", "environment", "colored"),
        [
            ([], {}, False),
            (["--color=always"], {}, True),
            (["--color=always"], {"NO_COLOR": "1"}, True),
            (["--color=never"], {"FORCE_COLOR": "1"}, False),
            ([], {"FORCE_COLOR": "1"}, True),
            ([], {"FORCE_COLOR": "0"}, False),
            ([], {"FORCE_COLOR": "1", "NO_COLOR": "1"}, False),
        ],
    )
    def test_colour_is_for_terminals_unless_asked(
        self, project: Workspace, arguments: list[str], environment: dict[str, str], colored: bool
    ) -> None:
        for output_format in ("full", "concise"):
            options = ["check", f"--output-format={output_format}", *arguments]
            assert ("\x1b[" in project.run(*options, env=environment).stdout) is colored
        assert "\x1b[" not in project.run("check", "--output-format=json", *arguments, env=environment).stdout

    def test_show_settings_prints_what_is_in_force_and_stops(self, project: Workspace) -> None:
        project.configure('ignore = ["no-rank"]')
        outcome = project.check("--show-settings", "--target-tensorflow=2.9", "--ignore=no-shape")
        assert outcome.status == 0
        assert 'target-tensorflow = "2.9"\n' in outcome.stdout
        assert 'ignore = ["no-rank", "no-shape"]\n' in outcome.stdout
        assert 'rules = ["TEST101"]\n' in outcome.stdout
        assert f'config = "{project.root}/pyproject.toml"\n' in outcome.stdout


class TestTargetTensorFlow:
    @pytest.fixture
    def project(self, workspace: Workspace) -> Workspace:
        workspace.raw_rule(
            "target",
            """
            from pipelint.model.finding import Region, Severity
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

    def test_the_project_requirement_then_configuration_then_option(self, project: Workspace) -> None:
        project.write("requirements.txt", "tensorflow>=2.8\n")
        assert "for (2, 8)" in project.check().stdout
        project.configure('target-tensorflow = "2.10"')
        assert "for (2, 10)" in project.check().stdout
        assert "for (2, 16)" in project.check("--target-tensorflow=2.16").stdout


class TestMistakesAreOneLine:
    @pytest.mark.parametrize(
        ("arguments", "expected"),
        [
            (["check", "--fail-on=often"], "Invalid value for '--fail-on'"),
            (["check", "--output-format=xml"], "'xml' is not one of 'concise', 'full', 'github', 'gitlab'"),
            (["check", "--select=no-sise"], "--select: unknown rule 'no-sise'; did you mean no-size"),
            (["check", "--ignore=TEST9"], "--ignore: unknown rule 'TEST9'"),
            (["check", "--target-tensorflow=latest"], "--target-tensorflow: 'latest' is not a TensorFlow version"),
            (["check", "--config=missing.toml"], "missing.toml: cannot be read"),
            (["check", "--output-file=missing/report.txt"], "--output-file: cannot write missing/report.txt"),
            (["check", "--output-file=."], "is a directory"),
            (["check", "--no-such-option"], "No such option"),
            (["chekc"], "No such command 'chekc'"),
            ([], "Missing command"),
            (["rule"], "give either a rule or --all"),
            (["rule", "TEST101", "--all"], "give either a rule or --all"),
            (["rule", "no-sise"], "unknown rule 'no-sise'; did you mean no-size"),
        ],
    )
    def test_on_the_command_line(self, slow: Workspace, arguments: list[str], expected: str) -> None:
        outcome = slow.run(*arguments)
        assert outcome.status == 2
        assert outcome.stdout == ""
        assert len(outcome.errors) == 1
        assert outcome.stderr.startswith("pipelint: ")
        assert expected in outcome.stderr

    @pytest.mark.parametrize(
        ("toml", "expected"),
        [
            ("selct = []", "pyproject.toml:5: unknown key 'selct'; did you mean select?"),
            ('ignore = ["no-sise"]', "pyproject.toml:5: ignore: unknown rule 'no-sise'; did you mean no-size"),
            ("x = [", "pyproject.toml:5: is not valid TOML"),
        ],
    )
    def test_in_the_configuration(self, slow: Workspace, toml: str, expected: str) -> None:
        slow.configure(toml)
        outcome = slow.check()
        assert outcome.status == 2
        assert len(outcome.errors) == 1
        assert expected in outcome.stderr

    @pytest.mark.parametrize(
        ("source", "expected"),
        [
            ("import missing_module", "ModuleNotFoundError: No module named 'missing_module'"),
            ("x = 1", "holds 0 rules"),
            ("from pipelint.rule import Rule\nclass Bad(Rule): code = 'TEST1'", "does not set name, severity, fix"),
        ],
    )
    def test_in_a_rule_pack(self, slow: Workspace, source: str, expected: str) -> None:
        slow.raw_rule("bad", source)
        outcome = slow.check()
        assert outcome.status == 2
        assert len(outcome.errors) == 1
        assert "own_rules/bad.py" in outcome.stderr
        assert expected in outcome.stderr

    def test_two_rules_of_one_name(self, slow: Workspace) -> None:
        slow.raw_rule("again", (slow.root / "own_rules/no_size.py").read_text().replace("TEST101", "TEST109"))
        assert "two rules are called no-size" in slow.check().stderr


class TestARuleThatCrashes:
    CRASH = """
        from pipelint.model.finding import Severity
        from pipelint.rule import Rule

        class Crash(Rule):
            '''Crashes.'''
            code, name, severity, fix = "TEST666", "crash", Severity.WARNING, "none"

            def check(self, program):
                yield from 1 / 0
    """

    def test_is_one_line_and_the_rest_goes_on(self, slow: Workspace) -> None:
        slow.raw_rule("crash", self.CRASH)
        slow.write("train.py", tf("tf.size(1)"))
        slow.write("plain.py", "x = 1\n")
        outcome = slow.check("--fix")
        assert outcome.status == 2
        assert outcome.stderr == (
            "pipelint: train.py: internal error in TEST666 (crash): ZeroDivisionError: division by zero "
            "(crash.py:10); please report it\n"
        )
        assert "TEST101" in outcome.stdout
        assert slow.read("train.py") == tf("tf.size(1)"), "nothing is written to a file that failed"

    def test_an_interrupt_is_quiet(self, slow: Workspace) -> None:
        slow.raw_rule("crash", self.CRASH.replace("yield from 1 / 0", "raise KeyboardInterrupt"))
        slow.write("train.py", tf("tf.size(1)"))
        outcome = slow.check("--fix")
        assert (outcome.status, outcome.stdout, outcome.stderr.strip()) == (130, "", "")


class TestRuleCommand:
    def test_text_explains_a_rule_by_code_or_name(self, workspace: Workspace) -> None:
        by_code, by_name = workspace.run("rule", "PIPE201"), workspace.run("rule", "unparallelized-map")
        assert by_code == by_name
        assert by_code.status == 0
        assert "PIPE201 unparallelized-map" in by_code.stdout
        assert "num_parallel_calls" in by_code.stdout
        assert "\x1b" not in by_code.stdout
        assert "\x1b" in workspace.run("rule", "PIPE201", "--color=always").stdout

    def test_json(self, workspace: Workspace) -> None:
        document = workspace.run("rule", "PIPE201", "--output-format=json").json
        assert document["version"] == 1
        [rule] = document["rules"]
        assert list(rule) == ["code", "name", "severity", "fix", "default", "summary", "documentation", "url"]
        assert (rule["code"], rule["name"], rule["severity"]) == ("PIPE201", "unparallelized-map", "warning")
        assert rule["default"] is True
        assert rule["documentation"].startswith(rule["summary"])
        assert rule["url"] == "https://github.com/pipelint/pipelint/blob/main/rules/unparallelized_map.py"

    def test_all_lists_every_rule_in_order(self, workspace: Workspace) -> None:
        codes = [rule["code"] for rule in workspace.run("rule", "--all", "--output-format=json").json["rules"]]
        assert codes == sorted(codes)
        lines = workspace.run("rule", "--all").stdout.splitlines()
        assert [line.split()[0] for line in lines] == codes

    def test_rules_of_the_project_are_among_them(self, slow: Workspace) -> None:
        assert "TEST101  no-size" in slow.run("rule", "--all").stdout
        assert slow.run("rule", "no-size", "--output-format=json").json["rules"][0]["url"] is None

    def test_markdown(self, slow: Workspace) -> None:
        assert slow.run("rule", "no-size", "--output-format=markdown").stdout == (
            "# TEST101 no-size\n\nwarning · fix: safe · since 0.1.0\n\nCalls of `tf.size`.\n"
        )


class TestProcess:
    """What only a real process shows."""

    def test_module_and_version(self) -> None:
        completed = subprocess.run([*PIPELINT, "--version"], capture_output=True, text=True, check=True)
        assert completed.stdout == f"pipelint {pipelint.__version__}\n"

    @pytest.mark.parametrize("arguments", [["--version"], ["--help"], ["check", "--help"]])
    def test_help_answers_at_once(self, arguments: list[str]) -> None:
        program = (
            "import sys\nfrom pipelint.cli import main\n"
            f"try: main({arguments!r})\n"
            "except SystemExit: print(sorted({name.partition('.')[0] for name in sys.modules}), file=sys.stderr)"
        )
        completed = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
        assert not {"libcst", "rich", "pathspec", "pipelint_rules"} & set(eval(completed.stderr))

    def test_a_closed_pipe_is_quiet(self, slow: Workspace) -> None:
        slow.write("train.py", tf(*["tf.size(1)"] * 5000))
        with subprocess.Popen([*PIPELINT, "check"], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
            assert process.stdout
            assert process.stderr
            process.stdout.readline()
            process.stdout.close()
            assert process.stderr.read() == b""
            assert process.wait(60) == 1

    def test_output_survives_an_encoding_that_cannot_say_it(self, slow: Workspace) -> None:
        slow.write("train.py", tf("x = '世界', tf.size(1)"))
        environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
        completed = subprocess.run([*PIPELINT, "check"], capture_output=True, text=True, env=environment, check=False)
        assert completed.returncode == 1
        assert "TEST101" in completed.stdout
        assert completed.stderr == ""
