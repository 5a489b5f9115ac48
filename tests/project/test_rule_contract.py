"""A rule with a mistake in it is one clear line when it is loaded, through `rule-paths` as a third party's would be."""

from __future__ import annotations

import textwrap
from dataclasses import replace
from typing import Any

import pytest

from pipelint.model.locations import Place
from pipelint.project.rule_contract import ImproperFinding, findings_of
from pipelint.rule import Rule, Severity
from tests.workspace import Workspace, tf

RULE = '''
from pipelint.rule import Example, Rule, Severity


class TheRule(Rule):
    """Finds something."""

    code = "TEST001"
    name = "the-rule"
    severity = Severity.WARNING
    fix = "none"

{body}
'''
CHECK = "def check(self, program):\n    yield from ()\n"


def load(workspace: Workspace, body: str) -> list[str]:
    """What is told of a rule whose class has this body besides the usual attributes."""
    workspace.raw_rule("the-rule", RULE.format(body=textwrap.indent(body, "    ")))
    workspace.write("train.py", tf())
    outcome = workspace.check()
    assert (outcome.status, outcome.stdout) == ((2, "") if outcome.stderr else (0, "All clean: 1 file checked.\n"))
    return outcome.errors


@pytest.mark.parametrize(
    "body",
    [
        CHECK,
        "def check(self, program, *more):\n    return []\n",
        "def check(self, *, program=None):\n    return []\n\ncheck = lambda self, program: ()\n",
        "def check_suppressions(self, unused):\n    yield from ()\n",
        f"options = {{'limit': 3}}\nwords = ('map',)\nexamples = (Example('one', 'x = 1'),)\n{CHECK}",
    ],
)
def test_a_rule_without_a_mistake_is_used(workspace: Workspace, body: str) -> None:
    assert load(workspace, body) == []


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (f"words = 'map'\n{CHECK}", 'words: give a tuple of texts, such as ("shuffle",)'),
        ("pass", "TheRule has no check; define `def check(self, program)`"),
        ("def chekc(self, program): ...", "TheRule has no check (is 'chekc' misspelled?); define"),
        ("def check_program(self, program): ...", "TheRule has no check"),
        ("def check(self): ...", "check must be a method of one argument: `def check(self, program)`"),
        ("def check(self, program, target): ...", "check must be a method of one argument"),
        ("def check(self, *, program): ...", "check must be a method of one argument"),
        ("check = 1", "check must be a method of one argument"),
        ("def check_suppressions(self): ...", "`def check_suppressions(self, unused)`"),
        (f"code = 'PIPE1'\n{CHECK}", "code = 'PIPE1': a code is like PIPE201"),
        (f"code = 201\n{CHECK}", "code = 201: a code is like PIPE201"),
        (f"name = 'The rule'\n{CHECK}", "name = 'The rule': a name is like unparallelized-map"),
        (f"severity = 'warning'\n{CHECK}", "severity = 'warning': give one of Severity.ADVICE"),
        (f"fix = True\n{CHECK}", "fix = True: give one of 'safe', 'unsafe', 'safe or unsafe', 'none'"),
        (f"default = 'off'\n{CHECK}", "default = 'off': give True or False"),
        (f"options = ['limit']\n{CHECK}", "options: give a dict of names and whole numbers"),
        (f"options = {{'limit': '3'}}\n{CHECK}", "options: give a dict of names and whole numbers"),
        (f"examples = Example('one', 'x = 1')\n{CHECK}", "examples: give a tuple of Example"),
        (f"examples = ('x = 1',)\n{CHECK}", "examples: give a tuple of Example"),
        (f"evidence = 'fast'\n{CHECK}", "evidence: give an Evidence, or None"),
    ],
)
def test_a_mistake_is_one_line_that_says_where_and_what_to_do(workspace: Workspace, body: str, expected: str) -> None:
    (error,) = load(workspace, body)
    assert error.startswith("pipelint: rule-paths entry ")
    assert "own_rules/the_rule.py: TheRule " in error
    assert expected in error


def test_all_mistakes_of_a_rule_are_told_at_once(workspace: Workspace) -> None:
    (error,) = load(workspace, "fix = 1\ndefault = 0\n")
    assert all(part in error for part in ("fix = 1", "default = 0", "has no check"))


class TestFindings:
    """Of a program that runs as of one that is read; tests/lint/test_apply_rules.py tells the messages."""

    class Odd(Rule):
        """Odd."""

        code, name, severity, fix = "TEST001", "odd", Severity.WARNING, "none"

    RULE = Odd()
    LIVE = RULE.finding(Place("train.py", 1), "here")

    def test_point_at_any_place(self) -> None:
        assert list(findings_of(self.RULE, [self.LIVE])) == [self.LIVE]

    @pytest.mark.parametrize("given", [None, ["here"], [replace(LIVE, code="TEST002")], [RULE.finding("line 1", "m")]])  # type: ignore[arg-type]
    def test_that_are_none_name_the_rule(self, given: Any) -> None:
        with pytest.raises(ImproperFinding, match=r"rule TEST001 \(odd\) "):
            list(findings_of(self.RULE, given))
