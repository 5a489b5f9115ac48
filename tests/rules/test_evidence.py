"""Every claim of speed names a pair that can be run, and every pair backs a rule."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from pipelint.project.load_rules import load_registry
from pipelint.project.registry import RegisteredRule

REGISTRY = load_registry()
PAIRS = sorted((Path(__file__).parent.parent / "benchmarks" / "evidence").glob("[!_]*.py"))


def test_each_pair_backs_the_rule_of_its_name() -> None:
    backed = {rule.name: rule.type.evidence.benchmark for rule in REGISTRY if rule.type.evidence}
    pairs = {path.stem.replace("_", "-") for path in PAIRS}
    assert {name: benchmark for name, benchmark in backed.items() if benchmark} == {name: name for name in pairs}


@pytest.mark.parametrize("path", PAIRS, ids=lambda path: path.stem)
def test_each_pair_has_a_slow_and_a_fast_run(path: Path) -> None:
    functions = {node.name for node in ast.parse(path.read_text("utf-8")).body if isinstance(node, ast.FunctionDef)}
    assert {"slow", "fast"} <= functions


@pytest.mark.parametrize("rule", list(REGISTRY), ids=lambda rule: rule.code)
def test_evidence_tells_what_was_measured(rule: RegisteredRule) -> None:
    assert rule.type.evidence is None or rule.type.evidence.measured


@pytest.mark.parametrize("rule", list(REGISTRY), ids=lambda rule: rule.code)
def test_a_rule_is_read_in_a_minute(rule: RegisteredRule) -> None:
    assert len(rule.file.read_text("utf-8").splitlines()) <= 165
