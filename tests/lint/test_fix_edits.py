"""Edits are worked out for what is shown or fixed, and for nothing else."""

from __future__ import annotations

from tests.workspace import Workspace, tf

RULE = """
from pipelint.rule import Fix, Region, ReplaceText, Rule, Safety, Severity

class Mends(Rule):
    '''Has a fix.'''
    code, name, severity, fix = "TEST666", "mends", Severity.WARNING, "safe"

    def check(self, program):
        yield self.finding(Region(0, 6), "here", fix=Fix("mend", Safety.SAFE, ReplaceText({edits})))
"""
CRASHES = "1"


def test_not_for_what_the_baseline_leaves_out(workspace: Workspace) -> None:
    workspace.configure('baseline = "known.json"\n')
    workspace.raw_rule("mends", RULE.format(edits="()"))
    workspace.write("train.py", tf())
    assert workspace.run("baseline").status == 0
    workspace.raw_rule("mends", RULE.format(edits=CRASHES))
    assert workspace.check().status == 0
    assert workspace.check("--fix").status == 0
    (workspace.root / "known.json").unlink()
    workspace.configure()
    assert "internal error in the fix of TEST666 (mends): TypeError" in workspace.check().stderr


def test_a_fix_without_edits_is_not_advertised(workspace: Workspace) -> None:
    workspace.raw_rule("mends", RULE.format(edits="()"))
    workspace.write("train.py", tf())
    (finding,) = workspace.check("--output-format=json").json["findings"]
    assert finding["fix"] is None


def test_a_crash_is_told_once_and_nothing_is_written(slow: Workspace) -> None:
    slow.raw_rule("mends", RULE.format(edits=CRASHES))
    slow.write("train.py", tf("tf.size(1)"))
    outcome = slow.check("--fix")
    assert (outcome.status, len(outcome.errors)) == (2, 1)
    assert slow.read("train.py") == tf("tf.size(1)")
