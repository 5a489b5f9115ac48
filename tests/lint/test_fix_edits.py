"""Edits are worked out for fixes that are shown or applied, and for nothing else."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.workspace import Workspace, tf

RULE = """
from pipelint.rule import Fix, Region, ReplaceText, Rule, Safety, Severity

class Mends(Rule):
    '''Has a fix.'''
    code, name, severity, fix = "TEST666", "mends", Severity.WARNING, "{safety}"

    def check(self, program):
        yield self.finding(Region(0, 6), "here", fix=Fix("mend", Safety("{safety}"), ReplaceText({edits})))
"""
CRASHES = "1"
CRASH = "pipelint: train.py: the fix of TEST666 (mends), from own_rules/mends.py, fails: TypeError"


def mends(workspace: Workspace, edits: str, safety: str = "safe") -> None:
    """Add a rule whose fix has these edits."""
    workspace.raw_rule("mends", RULE.format(edits=edits, safety=safety))


def loads_libcst(directory: Path, *arguments: str) -> bool:
    """Whether a run of pipelint in a process of its own imports libcst."""
    program = (
        "import sys\n"
        "from pipelint.cli import main\n"
        f"try: main({list(arguments)})\n"
        "except SystemExit as end: assert end.code in (0, 1)\n"
        "print('libcst' in sys.modules, file=sys.stderr)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=directory, capture_output=True, text=True, check=True)
    return done.stderr == "True\n"


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["check"], True),
        (["check", "--diff", "--quiet"], True),
        (["baseline"], False),
        (["check", "--add-noqa"], False),
    ],
    ids=["check", "diff", "baseline", "add-noqa"],
)
def test_only_where_a_fix_is_shown(tmp_path: Path, arguments: list[str], expected: bool) -> None:
    (tmp_path / "train.py").write_text(
        tf(
            "ds = Dataset.range(9000).map(abs, tf.data.experimental.AUTOTUNE)",
            "model.fit(ds.prefetch(tf.data.AUTOTUNE))",
        )
    )
    assert loads_libcst(tmp_path, *arguments) is expected


def test_not_for_what_is_listed_or_silenced(workspace: Workspace) -> None:
    mends(workspace, CRASHES)
    workspace.write("train.py", tf())
    assert (workspace.run("baseline").status, workspace.run("baseline").stderr) == (0, "")
    assert (workspace.check("--add-noqa", "--no-baseline").status, workspace.check().stderr) == (0, "")
    assert "# noqa: TEST666" in workspace.read("train.py")


def test_unsafe_ones_not_before_all_safe_ones_are_applied(slow: Workspace) -> None:
    mends(slow, CRASHES, "unsafe")
    slow.write("train.py", tf("tf.size(1)"))
    outcome = slow.check("--fix", "--output-format=concise", "-q")
    assert slow.read("train.py") == tf("tf.shape_n(1)")
    assert outcome.stdout == "train.py:1:1: warning TEST666 mends: here\n"
    (error,) = outcome.errors
    assert error.startswith(CRASH)


def test_a_crash_of_an_unsafe_one_that_is_wanted_leaves_the_file_alone(slow: Workspace) -> None:
    mends(slow, CRASHES, "unsafe")
    slow.write("train.py", tf("tf.size(1)"))
    (error,) = slow.check("--fix", "--unsafe-fixes").errors
    assert error.startswith(CRASH)
    assert slow.read("train.py") == tf("tf.size(1)")


@pytest.mark.parametrize("safety", ["safe", "unsafe"])
def test_a_diff_tells_a_crash_once(slow: Workspace, safety: str) -> None:
    mends(slow, CRASHES, safety)
    slow.write("train.py", tf("tf.size(1)"))
    outcome = slow.check("--diff", "--quiet")
    assert ("+tf.shape_n(1)\n" in outcome.stdout) is (safety == "unsafe")
    (error,) = outcome.errors
    assert error.startswith(CRASH)


def test_not_for_what_the_baseline_leaves_out(workspace: Workspace) -> None:
    workspace.configure('baseline = "known.json"\n')
    mends(workspace, "()")
    workspace.write("train.py", tf())
    assert workspace.run("baseline").status == 0
    mends(workspace, CRASHES)
    assert workspace.check().status == 0
    assert workspace.check("--fix").status == 0
    (workspace.root / "known.json").unlink()
    workspace.configure()
    assert CRASH in workspace.check().stderr


def test_a_fix_without_edits_is_not_advertised(workspace: Workspace) -> None:
    mends(workspace, "()")
    workspace.write("train.py", tf())
    (finding,) = workspace.check("--output-format=json").json["findings"]
    assert finding["fix"] is None


def test_a_crash_is_told_once_and_nothing_is_written(slow: Workspace) -> None:
    mends(slow, CRASHES)
    slow.write("train.py", tf("tf.size(1)"))
    outcome = slow.check("--fix")
    assert (outcome.status, len(outcome.errors)) == (2, 1)
    assert slow.read("train.py") == tf("tf.size(1)")
