"""Advice, which comes after all that presses: a line each, by rule, under a heading that says what it is."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from typing import TYPE_CHECKING

from pipelint.model.grades import Severity

if TYPE_CHECKING:
    from pipelint.lint.diagnostic import Diagnostic  # a clean run has none
    from pipelint.lint.results import Results


def pressing(diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    """The errors and warnings."""
    return [diagnostic for diagnostic in diagnostics if diagnostic.severity is not Severity.ADVICE]


def advice_by_rule(results: Results) -> list[list[Diagnostic]]:
    """The advice of each rule, by code, each in the order of reports."""
    advice = [diagnostic for diagnostic in results.diagnostics if diagnostic.severity is Severity.ADVICE]
    rules = groupby(sorted(advice, key=lambda diagnostic: diagnostic.code), key=lambda diagnostic: diagnostic.code)
    return [list(found) for _, found in rules]


def what_advice_is(results: Results) -> str:
    """What makes a finding advice, and what it means for the run."""
    outcome = "fails the run, as --fail-on asks" if results.advice_fails else "does not fail the run"
    return f"the target TensorFlow does this by itself, or it depends on the machine; it {outcome}"
