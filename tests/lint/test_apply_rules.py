"""A rule that gives nonsense for findings is one problem of the file that names the rule; the others go on."""

from __future__ import annotations

import pytest

from tests.workspace import Workspace, tf

RULE = """
from pipelint.model.locations import Place
from pipelint.rule import Finding, Fix, Location, Region, Rule, Severity

class Odd(Rule):
    '''Odd.'''
    code, name, severity, fix = "TEST666", "odd", Severity.WARNING, "none"

    def check(self, program):
        {body}
"""


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("yield 'slow here'", "yields something of type str; yield `self.finding(place, message)`"),
        ("yield None", "yields None; yield `self.finding(place, message)`"),
        ("yield Finding('TEST101', 'no-size', Severity.ERROR, 'm', Region(0, 1))", "yields a finding of TEST101"),
        ("yield self.finding('line 1', 'm')", "points at something of type str; point at a place of the program"),
        (
            "yield self.finding(Place('train.py', 1), 'm')",
            "points at something of type Place; point at a place of the program",
        ),
        (
            "yield self.finding(Region(0, 1), 'm', fix='mend')",
            "gives something of type str for a fix; give a `Fix`, or None",
        ),
        ("yield self.finding(Region(0, 1), 3)", "gives something of type int for a message; give a text"),
        (
            "yield self.finding(Region(0, 1), 'm', fix=Fix.safe('mend', 'it'))",
            "gives something of type str for a repair; pipelint.rule has them",
        ),
        ("return None", "returns None; its check must yield findings, or nothing"),
        ("return 3", "returns something of type int; its check must yield findings, or nothing"),
    ],
)
def test_nonsense_names_the_rule(slow: Workspace, body: str, expected: str) -> None:
    slow.raw_rule("odd", RULE.format(body=body))
    slow.write("train.py", tf("tf.size(1)"))
    outcome = slow.check("--output-format=concise", "-q")
    assert outcome.status == 2
    assert outcome.stdout == "train.py:2:1: warning TEST101 no-size: tf.size is slow [safe fix]\n"
    (error,) = outcome.errors
    assert error.startswith("pipelint: train.py: rule TEST666 (odd) ")
    assert expected in error


def test_a_rule_does_not_end_the_run(slow: Workspace) -> None:
    slow.raw_rule("odd", RULE.format(body="raise SystemExit(5)"))
    slow.write("train.py", tf("tf.size(1)"))
    outcome = slow.check("--output-format=concise", "-q")
    assert outcome.status == 2
    assert outcome.stdout == "train.py:2:1: warning TEST101 no-size: tf.size is slow [safe fix]\n"
    assert outcome.errors[0].endswith("SystemExit: 5 (odd.py:10); please tell its author")
    assert outcome.errors[0].startswith("pipelint: train.py: TEST666 (odd), from own_rules/odd.py, fails: ")


def test_what_came_before_the_nonsense_is_kept(slow: Workspace) -> None:
    slow.raw_rule("odd", RULE.format(body="yield self.finding(Region(0, 6), 'here'); yield 1"))
    slow.write("train.py", tf())
    outcome = slow.check("--output-format=concise", "-q")
    assert outcome.stdout == "train.py:1:1: warning TEST666 odd: here\n"
    assert len(outcome.errors) == 1


def test_files_without_a_word_of_the_rules_are_not_followed(slow: Workspace) -> None:
    body = "yield from (self.finding(Region(one.start, one.start + 1), 'here') for one in program.modules)"
    slow.raw_rule("odd", RULE.format(body=body).replace("def check", 'words = ("shuffle", "cache")\n\n    def check'))
    slow.write("own.py", tf("shuffle = 1"))
    slow.write("imports.py", tf("from own import shuffle as mix"))
    slow.write("without.py", tf("batch = 1"))
    slow.write("broken.py", tf("batch ="))
    outcome = slow.check("--output-format=concise", "-q", "--select=TEST666")
    assert [line.partition(":")[0] for line in outcome.stdout.splitlines()] == ["imports.py", "own.py"]
    assert [error.partition(": syntax")[0] for error in outcome.errors] == ["pipelint: broken.py:2"]
