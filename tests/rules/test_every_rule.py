"""Every rule is its own test: what its examples promise, pipelint does."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest

from pipelint.lint.check_files import check_file
from pipelint.lint.results import FileResult
from pipelint.lint.task import Fixes, Mode, Task
from pipelint.project.load_rules import load_registry
from pipelint.project.projects import Overrides, Project
from pipelint.project.registry import RegisteredRule
from pipelint.project.settings import Settings
from pipelint.report.rule_pages import as_markdown
from pipelint.rule import Example

ROOT = Path(__file__).parents[2]
REGISTRY = load_registry()
SECTIONS = ("What it finds", "Why it matters", "When to ignore it")


def example_cases() -> list[object]:
    return [
        pytest.param(rule, example, id=f"{rule.code}: {example.title}")
        for rule in REGISTRY
        for example in rule.type.examples
    ]


def run(rule: RegisteredRule, example: Example, source: str, mode: Mode = Mode.REPORT) -> FileResult:
    """Check a source with this rule and, for what suppressions silence, with the others that are on by default."""
    overrides = Overrides(select=(rule.code,), target_tensorflow=example.target)
    if rule.examines_suppressions:
        overrides = Overrides(extend_select=(rule.code,), target_tensorflow=example.target)
    project = Project(Settings(root=ROOT), REGISTRY, overrides)
    outcome = check_file(project, Path("train.py"), Task(mode, Fixes.ALL), source.encode())
    assert outcome.problems == ()
    return outcome


def code(text: str) -> str:
    return textwrap.dedent(text).strip("\n") + "\n"


@pytest.mark.parametrize(("rule", "example"), example_cases())
class TestExamples:
    def test_fires_as_often_as_it_says(self, rule: RegisteredRule, example: Example) -> None:
        found = [d for d in run(rule, example, code(example.before)).diagnostics if d.code == rule.code]
        assert len(found) == (0 if example.silent else example.count)
        if example.severity:
            assert {diagnostic.severity for diagnostic in found} == {example.severity}

    def test_the_fix_gives_the_second_to_the_letter(self, rule: RegisteredRule, example: Example) -> None:
        before = code(example.before)
        outcome = run(rule, example, before, Mode.FIX)
        after = outcome.change.after.decode() if outcome.change else before
        assert after == (before if example.after is None else code(example.after))

    def test_the_second_is_clean(self, rule: RegisteredRule, example: Example) -> None:
        if example.after is not None:
            found = run(rule, example, code(example.after)).diagnostics
            assert [diagnostic for diagnostic in found if diagnostic.code == rule.code] == []


@pytest.mark.parametrize("rule", list(REGISTRY), ids=lambda rule: rule.code)
class TestEachRule:
    def test_is_documented(self, rule: RegisteredRule) -> None:
        documentation = rule.type.documentation()
        assert rule.type.summary().endswith(".")
        assert [section for section in SECTIONS if f"## {section}" not in documentation] == []

    def test_has_examples_that_fire_and_some_that_do_not(self, rule: RegisteredRule) -> None:
        silent = [example.silent for example in rule.type.examples]
        assert True in silent
        assert False in silent
        titles = [example.title for example in rule.type.examples]
        assert len(titles) == len(set(titles))

    def test_says_what_its_fixes_are(self, rule: RegisteredRule) -> None:
        found = {
            diagnostic.fix.safety.value
            for example in rule.type.examples
            for diagnostic in run(rule, example, code(example.before)).diagnostics
            if diagnostic.fix and diagnostic.code == rule.code
        }
        promised = set(rule.type.fix.split(" or ")) - {"none"}
        assert found == promised

    def test_lives_in_a_file_of_its_name(self, rule: RegisteredRule) -> None:
        assert rule.file.stem == rule.name.replace("-", "_")
        assert len(rule.file.read_text("utf-8").splitlines()) <= 250


def test_the_index_of_rules_is_up_to_date() -> None:
    command = "pipelint rule --all --output-format markdown > rules/README.md"
    assert (ROOT / "rules/README.md").read_text("utf-8") == as_markdown(list(REGISTRY), index=True), f"run `{command}`"
