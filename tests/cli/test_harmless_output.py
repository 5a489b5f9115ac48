"""What is shown comes from files of others: it steers no terminal, also behind a pipe, and no workflow."""

from __future__ import annotations

import re
import sys

import pytest

from tests.workspace import Workspace, tf

STEERING = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")
PLANTED = '"""\n\x1b]0;title\x07 \x9b31m \u202e \x0c \x7f \r \x08\n::error::planted ##[add-mask]x\n"""'
SOURCE = tf(PLANTED, "tf.size(1)")


@pytest.fixture
def planted(slow: Workspace) -> Workspace:
    slow.write("train.py", SOURCE)
    if sys.platform != "win32":
        slow.write("::warning::\x1b[31m\r.py", SOURCE)
    return slow


@pytest.mark.parametrize("output_format", ["full", "concise", "json", "github", "markdown", "gitlab", "sarif"])
@pytest.mark.parametrize("color", ["auto", "never"])
def test_a_diff_holds_no_control_characters(planted: Workspace, output_format: str, color: str) -> None:
    outcome = planted.check("--diff", f"--output-format={output_format}", f"--color={color}")
    assert outcome.status == 1
    assert STEERING.findall(outcome.stdout + outcome.stderr) == []
    assert "\N{SYMBOL FOR ESCAPE}]0;title" in outcome.stdout + outcome.stderr


def test_unless_they_are_asked_for(planted: Workspace) -> None:
    assert "\x1b]0;title\x07" in planted.check("--diff", "--color=always", "train.py").stdout


def test_tabs_stay_for_patch(slow: Workspace) -> None:
    slow.write("train.py", tf("if x:", "\ty = tf.size(1)"))
    assert "+\ty = tf.shape_n(1)" in slow.check("--diff").stdout.splitlines()


def test_settings_are_shown_without_them(slow: Workspace) -> None:
    text = r'[tool.pipelint]~exclude = ["\u001b[31m", "\u009b31m", "\u202e"]~per-file-ignores = { "\u009b" = [] }'
    slow.write("pyproject.toml", text.replace("~", "\n"))
    outcome = slow.check("--show-settings")
    assert outcome.status == 0
    assert STEERING.findall(outcome.stdout) == []


class TestWorkflows:
    """A line that begins with `::`, or has `##[` in it, is a command to the runner of a GitHub workflow."""

    STOP = re.compile(r"::stop-commands::(\w{32})")

    def obeyed(self, output: str) -> list[str]:
        """The commands that a runner obeys."""
        commands, word = [], None
        for line in output.splitlines():
            if word is not None:
                word = None if line == f"::{word}::" else word
            elif stopped := self.STOP.fullmatch(line):
                word = stopped[1]
            elif line.lstrip().startswith("::") or "##[" in line:
                commands.append(line)
        return commands

    @pytest.mark.parametrize("output_format", ["full", "concise"])
    @pytest.mark.parametrize("more", [(), ("--diff",), ("--fix",)])
    def test_reports_and_diffs_hold_no_commands(
        self, planted: Workspace, monkeypatch: pytest.MonkeyPatch, output_format: str, more: tuple[str, ...]
    ) -> None:
        planted.write("##[add-mask]broken.py", tf("def ("))
        monkeypatch.setenv("GITHUB_ACTIONS", "true")
        outcome = planted.check(f"--output-format={output_format}", *more)
        assert outcome.status == 2
        assert self.obeyed(outcome.stdout) == []
        assert self.obeyed(outcome.stderr) == []

    def test_nor_do_settings(self, slow: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
        slow.write("pyproject.toml", '[tool.pipelint]\nexclude = ["##[add-mask]x"]\n')
        monkeypatch.setenv("GITHUB_ACTIONS", "true")
        outcome = slow.check("--show-settings")
        assert "##[add-mask]x" in outcome.stdout
        assert self.obeyed(outcome.stdout) == []

    def test_elsewhere_and_where_there_are_none_nothing_is_added(
        self, slow: Workspace, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        slow.write("train.py", tf("tf.size(1)"))
        before = slow.check("--diff")
        assert "stop-commands" not in before.stdout
        monkeypatch.setenv("GITHUB_ACTIONS", "true")
        assert slow.check("--diff") == before
        monkeypatch.delenv("GITHUB_ACTIONS")
        slow.write("train.py", SOURCE)
        assert "stop-commands" not in slow.check("--diff").stdout

    def test_annotations_are_those_of_pipelint_alone(self, planted: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("GITHUB_ACTIONS", "true")
        lines = planted.check("--output-format=github").stdout.splitlines()
        assert len(lines) == (1 if sys.platform == "win32" else 2)
        assert all(line.startswith("::warning file=") for line in lines)
