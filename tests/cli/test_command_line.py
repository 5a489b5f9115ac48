"""The command line as people meet it: exit status, mistakes, `pipelint rule`, and manners as a process."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

import pipelint
from tests.workspace import PIPELINT, Workspace, tf


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


class TestMistakesAreOneLine:
    @pytest.mark.parametrize(
        ("arguments", "expected"),
        [
            (["check", "--fail-on=often"], "Invalid value for '--fail-on'"),
            (["check", "--output-format=xml"], "'xml' is not one of 'azure', 'concise', 'full', 'github'"),
            (["check", "--select=no-sise"], "--select: unknown rule 'no-sise'; did you mean no-size"),
            (["check", "--ignore=TEST9"], "--ignore: unknown rule 'TEST9'"),
            (["check", "--target-tensorflow=latest"], "--target-tensorflow: 'latest' is not a TensorFlow version"),
            (["check", "--config=missing.toml"], "missing.toml: cannot be read"),
            (["check", "--output-file=missing/report.txt"], "--output-file: cannot write missing/report.txt"),
            (["check", "--output-file=."], "is a directory"),
            (["check", "--no-such-option"], "No such option"),
            (["chekc"], "No such command 'chekc'; did you mean `pipelint check`?"),
            (["pyproject.toml"], "did you mean `pipelint check pyproject.toml`?"),
            (["check", "--selct=PIPE1"], "No such option --selct; did you mean --select?"),
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
        from pipelint.model.grades import Severity
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
            "pipelint: train.py: TEST666 (crash), from own_rules/crash.py, fails: ZeroDivisionError: division by zero "
            "(crash.py:10); please tell its author\n"
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
        assert rule["url"] == "https://github.com/pipelint/pipelint/blob/main/docs/rules/unparallelized-map.md"

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

    def test_a_page_for_each_rule(self, slow: Workspace) -> None:
        outcome = slow.run("rule", "--all", "--output-format=markdown", "--output-dir=pages")
        assert (outcome.status, outcome.stdout) == (0, "")
        page = (slow.root / "pages/no-size.md").read_text("utf-8")
        assert page == slow.run("rule", "no-size", "--output-format=markdown").stdout
        assert "| [TEST101 no-size](no-size.md) |" in (slow.root / "pages/index.md").read_text("utf-8")

    @pytest.mark.parametrize(
        ("arguments", "problem"),
        [
            (["PIPE201", "--output-format=markdown", "--output-dir=pages"], "--output-dir goes with --all"),
            (["--all", "--output-dir=pages"], "--output-dir goes with --all and --output-format markdown"),
            (
                ["--all", "--output-format=markdown", "--output-dir=pyproject.toml/pages"],
                "pyproject.toml/pages: Not a directory",
            ),
        ],
    )
    def test_pages_that_cannot_be_written(self, slow: Workspace, arguments: list[str], problem: str) -> None:
        outcome = slow.run("rule", *arguments)
        assert outcome.status == 2
        assert problem in outcome.stderr


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
