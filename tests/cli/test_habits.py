"""What those who know Ruff reach for: options, settings by KEY=VALUE, several reports, and what cannot go together."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from pathlib import Path

import pytest
from click.shell_completion import ShellComplete

from pipelint.cli.actions.report_outputs import ReportOutput, paired
from pipelint.cli.command_line import command_line
from pipelint.project.setting_keys import SETTING_KEYS
from pipelint.project.settings import Settings
from tests.workspace import IMPORT, PIPELINT, Workspace, tf

CONCISE = ("--output-format=concise", "-q")


@pytest.fixture
def project(slow: Workspace) -> Workspace:
    """A finding of each severity, two of them with a fix."""
    slow.write("train.py", tf("tf.size(1)", "tf.rank(1)", "tf.shape(1)"))
    return slow


def codes(workspace: Workspace, *arguments: str) -> list[str]:
    """The codes that are reported, in their order."""
    found = workspace.check("--output-format=json", *arguments).json["findings"]
    return [finding["code"] for finding in found]


def test_without_a_command_there_is_help_and_no_success(workspace: Workspace) -> None:
    outcome = workspace.run()
    assert outcome.status == 2
    assert "Commands:" in outcome.stderr


def test_help_has_its_options_in_groups(workspace: Workspace) -> None:
    told = workspace.run("check", "--help").stdout
    groups = [line.rstrip(":") for line in told.splitlines() if line.endswith(":") and not line.startswith(" ")]
    assert groups == ["Fixes", "Rules", "Files", "Report", "Known findings", "Exit status", "Settings", "Run", "Other"]


class TestWhatIsShown:
    def test_min_severity_leaves_out_what_is_less(self, project: Workspace) -> None:
        assert codes(project, "--min-severity=warning") == ["TEST101", "TEST201"]
        project.configure('min-severity = "error"')
        assert codes(project) == ["TEST201"]
        assert codes(project, "--min-severity=advice") == ["TEST101", "TEST102", "TEST201"]

    def test_what_is_left_out_neither_fails_the_run_nor_is_fixed(self, slow: Workspace) -> None:
        slow.write("train.py", tf("tf.size(1)"))
        outcome = slow.check("--min-severity=error", "--fix")
        assert (outcome.status, outcome.stdout) == (0, "All clean: 1 file checked.\n")
        assert slow.read("train.py") == tf("tf.size(1)")

    def test_silent_tells_only_by_the_status_and_in_files(self, project: Workspace) -> None:
        project.write("broken.py", tf("def ("))
        outcome = project.check("-s", "--output-format=json", "-o", "report.json")
        assert (outcome.status, outcome.stdout, outcome.stderr) == (2, "", "")
        assert len(json.loads(project.read("report.json"))["findings"]) == 3

    def test_ignore_noqa_shows_what_comments_silence(self, slow: Workspace) -> None:
        slow.write("train.py", tf("tf.size(1)  # noqa: TEST101", "x = 1  # noqa: TEST101"))
        assert codes(slow) == []
        assert codes(slow, "--ignore-noqa") == ["TEST101"]

    def test_the_format_can_be_configured(self, project: Workspace) -> None:
        project.configure('output-format = "pylint"')
        assert project.check().stdout.startswith("train.py:2: [TEST101] no-size: tf.size is slow\n")
        project.configure('output-format = "paper"')
        assert "pyproject.toml:5: output-format must be one of" in project.check().stderr

    def test_full_fits_the_width_of_a_terminal(self, slow: Workspace) -> None:
        slow.rule(
            "TEST300", "no-cast", "cast", message="this is a long message that no narrow terminal can take at once"
        )
        slow.write("train.py", tf(f"some_long_name_of_a_variable = {'a' * 60}, tf.cast(1), {'b' * 60}"))
        environment = {**os.environ, "COLUMNS": "60", "TERM": "xterm", "PYTHONIOENCODING": "utf-8"}
        told = on_a_terminal([*PIPELINT, "check", "--color=never", "-n"], environment)
        lines = told.splitlines()
        assert max(map(len, lines)) <= 60
        carets = next(line for line in lines if "^" in line)
        source = lines[lines.index(carets) - 1]
        assert source[carets.index("^") : carets.rindex("^") + 1] == "tf.cast"

    def test_show_files_and_stop(self, project: Workspace) -> None:
        project.write("sub/other.py", "x = 1\n")
        project.write("tests/test_it.py", "x = 1\n")
        outcome = project.check("--show-files", "--exclude=sub/,own_rules")
        assert (outcome.status, outcome.stdout) == (0, "train.py\n")

    def test_a_directory_without_python_says_so(self, slow: Workspace) -> None:
        slow.write("empty/README.md", "nothing\n")
        slow.write("tests/test_it.py", tf("tf.size(1)"))
        outcome = slow.check("empty", "tests")
        assert (outcome.status, outcome.stdout) == (0, "No files were checked.\n")
        assert outcome.errors == [
            "pipelint: empty: no Python files or notebooks here, or all are excluded",
            "pipelint: tests: only tests here, which are left out; set check-tests = true to check them",
        ]


class TestWhatIsChecked:
    def test_exclude_replaces_and_extend_exclude_adds(self, slow: Workspace) -> None:
        slow.write(
            "pyproject.toml",
            slow.read("pyproject.toml").replace('exclude = ["own_rules"', 'exclude = ["own_rules", "a.py"'),
        )
        for name in ("a.py", "b.py", "c.py"):
            slow.write(name, tf("tf.size(1)"))
        assert [line[:4] for line in slow.check("--extend-exclude=b.py", *CONCISE).stdout.splitlines()] == ["c.py"]
        shown = slow.check("--exclude=own_rules,b.py", *CONCISE).stdout.splitlines()
        assert [line[:4] for line in shown] == ["a.py", "c.py"]

    def test_patterns_of_the_command_line_begin_where_pipelint_runs(
        self, slow: Workspace, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        slow.write("deep/a.py", tf("tf.size(1)"))
        slow.write("deep/b.py", tf("tf.size(1)"))
        monkeypatch.chdir(slow.root / "deep")
        assert codes(slow, "--extend-exclude=/a.py") == ["TEST101"]
        assert codes(slow, "--per-file-ignores=/a.py:TEST101,b.py:no-size") == []

    def test_per_file_ignores(self, project: Workspace) -> None:
        assert codes(project, "--per-file-ignores=train.py:TEST1") == ["TEST201"]
        assert codes(project, "--per-file-ignores=train.py:TEST101,TEST201") == ["TEST102"], "both are left out there"
        assert "is not PATTERN:RULE" in project.check("--per-file-ignores=train.py").stderr

    def test_isolated_reads_no_configuration(self, project: Workspace) -> None:
        project.configure("fail-on = 3")
        outcome = project.check("--isolated", "--exclude=own_rules")
        assert (outcome.status, outcome.stdout) == (0, "All clean: 1 file checked.\n")
        assert "leave one out" in project.check("--isolated", "--config=pyproject.toml").stderr

    def test_a_notebook_through_a_pipe_is_read_as_one(self, slow: Workspace) -> None:
        slow.notebook("n.ipynb", IMPORT, "tf.size(1)")
        outcome = slow.check("-", *CONCISE, stdin=slow.read("n.ipynb"))
        assert outcome.stdout.startswith("stdin.ipynb:cell 3:1:1: warning TEST101")
        refused = slow.check("-", "--stdin-filename=n.py", stdin=slow.read("n.ipynb"))
        assert refused.status == 2
        assert "n.py is no name of a notebook, and standard input is one" in refused.stderr


class TestSettingsByKey:
    def test_a_text_needs_no_quotes_and_tables_are_taken_together(self, project: Workspace) -> None:
        project.configure('severity = { no-size = "error" }')
        options = ("--config=fail-on=error", '--config=ignore = ["no-shape"]', "--config=severity.no-rank=warning")
        found = project.check("--output-format=json", *options).json["findings"]
        assert [(item["code"], item["severity"]) for item in found] == [("TEST101", "error"), ("TEST102", "warning")]

    @pytest.mark.parametrize(
        ("given", "expected"),
        [
            ("fail-on=often", "--config: fail-on must be one of"),
            ("fal-on=error", "--config: unknown key 'fal-on'; did you mean fail-on?"),
            ('rule-paths=["x"]', "--config: rule-paths are code, and can only be named in a configuration file"),
            ("a b=c", "--config: 'a b=c' is no file and no KEY=VALUE"),
            ("missing.toml", "missing.toml: cannot be read"),
        ],
    )
    def test_a_mistake_is_one_line(self, project: Workspace, given: str, expected: str) -> None:
        outcome = project.check("--config", given)
        assert outcome.status == 2
        assert expected in outcome.stderr
        assert len(outcome.errors) == 1

    def test_every_key_is_explained(self, workspace: Workspace) -> None:
        keys = {key.name for key in SETTING_KEYS}
        assert keys == set(Settings().as_dict()) - {"config"}
        listed = workspace.run("config").stdout
        for key in SETTING_KEYS:
            assert f"\n{key.name} " in f"\n{listed}"
            assert key.about in workspace.run("config", key.name).stdout
        assert "tiny-batch = { warning = 8, advice = 16 }" in workspace.run("config", "tiny-batch.advice").stdout
        assert "did you mean fail-on?" in workspace.run("config", "fal-on").stderr

    @pytest.mark.parametrize("key", SETTING_KEYS, ids=lambda key: key.name)
    def test_every_example_of_a_key_can_be_used(self, workspace: Workspace, key: object) -> None:
        example = next(one.example for one in SETTING_KEYS if one == key)
        workspace.write("pyproject.toml", f"[tool.pipelint]\n{example}\n")
        workspace.write(".pipelint-baseline.json", '{"version": 1, "findings": []}')
        workspace.write("tools/our_rules/__init__.py", "")
        assert workspace.check("--show-settings").stderr == ""

    def test_show_settings_says_where_the_target_comes_from(self, slow: Workspace) -> None:
        slow.write("requirements.txt", "numpy\ntensorflow>=2.8\n")
        assert (
            'target-tensorflow = "2.8"  # requirements.txt: tensorflow >=2.8\n' in slow.check("--show-settings").stdout
        )
        slow.write("requirements.txt", "")
        assert "# the newest that pipelint knows; no requirement" in slow.check("--show-settings").stdout


@pytest.mark.parametrize(
    ("typed", "completed"),
    [
        (["rule", "no-s"], ["no-shape", "no-size"]),
        (["check", "--select", "PIPE001,TEST1"], ["PIPE001,TEST101", "PIPE001,TEST102"]),
        (["che"], ["check"]),
    ],
)
@pytest.mark.usefixtures("slow")
def test_the_shell_completes_commands_and_rules(typed: list[str], completed: list[str]) -> None:
    *words, begun = typed
    shell = ShellComplete(command_line, {}, "pipelint", "_PIPELINT_COMPLETE")
    assert [item.value for item in shell.get_completions(words, begun)] == completed


class TestFixes:
    def test_show_fixes_by_file_and_rule(self, project: Workspace) -> None:
        project.write("a.py", tf("tf.size(1), tf.size(2), tf.rank(1)"))
        outcome = project.check("--fix", "--unsafe-fixes", "--show-fixes", *CONCISE)
        assert outcome.stdout.endswith(
            "\n\nWhat was fixed:\n- a.py:\n    2 x TEST101 no-size\n    1 x TEST102 no-rank\n"
            "- train.py:\n    1 x TEST101 no-size\n    1 x TEST102 no-rank\n"
        )

    def test_fix_only_says_nothing_of_what_is_left(self, project: Workspace) -> None:
        outcome = project.check("--fix-only")
        assert (outcome.status, outcome.stdout) == (0, "Fixed 1 finding in 1 file.\n")
        assert "tf.shape_n(1)" in project.read("train.py")
        assert project.check("--fix-only").stdout == "Nothing to fix.\n"

    def test_exit_non_zero_on_fix(self, slow: Workspace) -> None:
        for options, status in (((), 0), (("--exit-non-zero-on-fix",), 1), (("--exit-non-zero-on-fix", "-e"), 0)):
            slow.write("train.py", tf("tf.size(1)"))
            assert slow.check("--fix", *options).status == status
        assert slow.check("--fix", "--exit-non-zero-on-fix").status == 0, "there is nothing left to fix"

    def test_unfixable_is_shown_and_left_alone(self, project: Workspace) -> None:
        assert (
            "no-size: tf.size is slow [no fix: the settings leave it to you]"
            in project.check("--unfixable=TEST101", *CONCISE).stdout
        )
        project.configure('fixable = ["no-rank"]')
        assert project.check("--fix", "--unsafe-fixes", "-q").status == 1
        assert project.read("train.py") == tf("tf.size(1)", "tf.ndim(1)", "tf.shape(1)")

    @pytest.mark.parametrize(
        "options",
        [
            ("--fix", "--add-noqa"),
            ("--fix-only", "--add-noqa"),
            ("--ignore-noqa", "--add-noqa"),
            ("--watch", "-"),
            ("--baseline=x.json", "--no-baseline"),
        ],
        ids=" ".join,
    )
    def test_what_cannot_go_together_is_refused(self, project: Workspace, options: tuple[str, ...]) -> None:
        outcome = project.check(*options)
        assert outcome.status == 2
        assert "cannot go together" in outcome.stderr
        assert project.read("train.py") == tf("tf.size(1)", "tf.rank(1)", "tf.shape(1)")


class TestReports:
    def test_several_in_one_run(self, project: Workspace) -> None:
        pairs = (
            "--output-format=sarif",
            "-o",
            "a.sarif",
            "--output-format=json",
            "-o",
            "b.json",
            "--output-format=pylint",
        )
        assert len(project.check(*pairs).stdout.splitlines()) == 3
        assert json.loads(project.read("a.sarif"))["runs"]
        assert len(json.loads(project.read("b.json"))["findings"]) == 3

    @pytest.mark.parametrize(
        ("order", "expected"),
        [
            ("F", [ReportOutput("one")]),
            ("O", [ReportOutput(None, Path("a"))]),
            ("OF", [ReportOutput("one", Path("a"))]),
            ("FO", [ReportOutput("one", Path("a"))]),
            ("FOF", [ReportOutput("one", Path("a")), ReportOutput("two")]),
            ("FFO", [ReportOutput("one"), ReportOutput("two", Path("a"))]),
            ("FOFO", [ReportOutput("one", Path("a")), ReportOutput("two", Path("b"))]),
            ("OFOF", [ReportOutput("one", Path("a")), ReportOutput("two", Path("b"))]),
            ("", [ReportOutput()]),
        ],
    )
    def test_a_file_takes_the_format_beside_it(
        self, workspace: Workspace, order: str, expected: list[ReportOutput]
    ) -> None:
        names = ["output_format" if one == "F" else "output_file" for one in order]
        assert list(paired(names, ["one", "two"], [Path("a"), Path("b")])) == expected

    def test_two_for_one_place_are_refused(self, project: Workspace) -> None:
        assert "two reports for standard output" in project.check("--output-format=json", "--output-format=full").stderr
        assert "two reports for a" in project.check("-o", "a", "--output-format=json", "-o", "a").stderr


def test_watch_checks_again_when_a_file_changes(slow: Workspace) -> None:
    slow.write("train.py", tf("tf.size(1)"))
    command = [*PIPELINT, "check", "--watch", "-q", "--output-format=concise"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout
            assert process.stdout.readline().startswith("train.py:2:1: warning TEST101")
            time.sleep(0.01)
            slow.write("train.py", tf("x = 1", "tf.shape(1)"))
            assert process.stdout.readline().startswith("train.py:3:1: error TEST201")
            process.send_signal(signal.SIGINT)
            assert process.wait(60) == 130
        finally:
            process.kill()  # it watches for ever where an interrupt is ignored, as in a job of a shell in the background


def test_completion_is_offered(workspace: Workspace) -> None:
    environment = {
        **os.environ,
        "_PIPELINT_COMPLETE": "bash_complete",
        "COMP_WORDS": "pipelint check --min",
        "COMP_CWORD": "2",
    }
    program = ["python", "-c", "from pipelint.cli import main; main()"]
    completed = subprocess.run(
        [PIPELINT[0], *program[1:]], env=environment, capture_output=True, text=True, check=False
    )
    assert completed.stdout == "plain,--min-severity\n"


def on_a_terminal(command: list[str], environment: dict[str, str]) -> str:
    """What a command writes to a terminal."""
    pty = pytest.importorskip("pty")
    parent, child = pty.openpty()
    with subprocess.Popen(command, stdout=child, stderr=subprocess.DEVNULL, env=environment):
        os.close(child)
        written = b""
        try:
            while part := os.read(parent, 4096):
                written += part
        except OSError:  # the other end is closed
            pass
    os.close(parent)
    return written.decode().replace("\r\n", "\n")
