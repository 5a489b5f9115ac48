"""Every rule is its own test: what its examples promise, pipelint does."""

from __future__ import annotations

import pytest

from pipelint.lint.diagnostic import Diagnostic
from pipelint.project.projects import Overrides
from pipelint.project.registry import RegisteredRule
from pipelint.report.rule_pages import as_markdown, as_site
from pipelint.rule import Example
from tests.linting import REGISTRY, ROOT, check, fixed

SECTIONS = ("What it finds", "Why it matters", "When to ignore it")
EXAMPLES = [
    pytest.param(rule, example, id=f"{rule.code}: {example.title}")
    for rule in REGISTRY
    for example in rule.type.examples
]


def chosen(rule: RegisteredRule, example: Example) -> Overrides:
    """This rule and, for one about what suppressions silence, the others that are on by default."""
    if rule.is_about_suppressions:
        return Overrides(extend_select=(rule.code,), target_tensorflow=example.target)
    return Overrides(select=(rule.code,), target_tensorflow=example.target)


def found(rule: RegisteredRule, source: str, overrides: Overrides, *, all_on: bool = False) -> list[Diagnostic]:
    """What the rule finds, whatever others do; also what only its options ask for, where all are on."""
    switches = {name: 1 for name, value in rule.type.options.items() if all_on and value == 0}
    diagnostics = check(source, overrides, options={rule.name: switches}).diagnostics
    return [diagnostic for diagnostic in diagnostics if diagnostic.code == rule.code]


@pytest.mark.parametrize(("rule", "example"), EXAMPLES)
class TestExamples:
    def test_fires_as_often_as_it_says(self, rule: RegisteredRule, example: Example) -> None:
        diagnostics = found(rule, example.before, chosen(rule, example))
        assert len(diagnostics) == (0 if example.silent else example.count)
        if example.severity:
            assert {diagnostic.severity for diagnostic in diagnostics} == {example.severity}

    def test_the_fix_gives_the_second_to_the_letter(self, rule: RegisteredRule, example: Example) -> None:
        assert fixed(example.before, chosen(rule, example)) == (
            example.before if example.after is None else example.after
        )

    def test_the_second_is_clean(self, rule: RegisteredRule, example: Example) -> None:
        if example.after is not None:
            assert found(rule, example.after, chosen(rule, example)) == []


@pytest.mark.parametrize("rule", list(REGISTRY), ids=lambda rule: rule.code)
class TestEachRule:
    def test_is_documented(self, rule: RegisteredRule) -> None:
        documentation = rule.type.documentation()
        assert rule.type.summary().endswith(".")
        assert [section for section in SECTIONS if f"## {section}" not in documentation] == []

    def test_has_a_few_examples_that_fire_and_some_that_do_not(self, rule: RegisteredRule) -> None:
        silent = [example.silent for example in rule.type.examples]
        assert {True, False} == set(silent)
        assert 3 <= len(silent) <= 5
        titles = [example.title for example in rule.type.examples]
        assert len(titles) == len(set(titles))

    def test_is_on_by_default_or_when_asked_for(self, rule: RegisteredRule) -> None:
        example = next(example for example in rule.type.examples if not example.silent)
        usual = Overrides(target_tensorflow=example.target)
        assert bool(found(rule, example.before, usual)) == rule.type.default
        asked = Overrides(extend_select=(rule.code,), target_tensorflow=example.target)
        assert found(rule, example.before, asked) != []

    def test_says_what_its_fixes_are(self, rule: RegisteredRule) -> None:
        fixes = {
            diagnostic.fix.safety.value
            for example in rule.type.examples
            for diagnostic in found(rule, example.before, chosen(rule, example), all_on=True)
            if diagnostic.fix
        }
        assert fixes == set(rule.type.fix.split(" or ")) - {"none"}

    def test_is_read_in_a_minute_in_a_file_of_its_name(self, rule: RegisteredRule) -> None:
        assert rule.file.stem == rule.name.replace("-", "_")
        assert len(rule.file.read_text("utf-8").splitlines()) <= 150


def test_the_index_of_rules_is_up_to_date() -> None:
    command = "pipelint rule --all --output-format markdown > rules/README.md"
    assert (ROOT / "rules/README.md").read_text("utf-8") == as_markdown(list(REGISTRY), index=True), f"run `{command}`"


def test_the_pages_of_rules_are_up_to_date() -> None:
    command = "pipelint rule --all --output-format markdown --output-dir docs/rules"
    pages = {page.name: page.read_text("utf-8") for page in (ROOT / "docs/rules").iterdir()}
    assert pages == as_site(list(REGISTRY)), f"run `{command}`"
