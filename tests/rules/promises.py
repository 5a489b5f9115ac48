"""What an example promises of a rule, wherever it stands."""

from __future__ import annotations

from pipelint.lint.task import Mode
from pipelint.rule import Example
from tests.rules.test_every_rule import REGISTRY, code, run


def check_promises(rule_code: str, example: Example) -> None:
    """The rule fires as often and as badly as it says, the fix gives the second to the letter, and that is clean."""
    (rule,) = [rule for rule in REGISTRY if rule.code == rule_code]
    before = code(example.before)
    found = run(rule, example, before).diagnostics
    assert len(found) == (0 if example.silent else example.count)
    if example.severity:
        assert {diagnostic.severity for diagnostic in found} == {example.severity}
    outcome = run(rule, example, before, Mode.FIX)
    after = outcome.change.after.decode() if outcome.change else before
    assert after == (before if example.after is None else code(example.after))
    if example.after is not None:
        assert run(rule, example, after).diagnostics == ()
