"""Every claim of speed names a pair that can be run, and its figures come from the file that the benchmark writes."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from pipelint.project.registry import RegisteredRule
from pipelint.rule import Evidence, MeasuredRatio
from tests.benchmarks import measure
from tests.benchmarks.evidence_page import COMMAND, page
from tests.linting import REGISTRY, ROOT
from tests.workspace import Workspace

BACKED = [rule for rule in REGISTRY if rule.type.evidence and rule.type.evidence.pair]
PAIRS = sorted(measure.PAIRS.glob("[!_]*.py"))


def measured(ratio: float, low: float, high: float) -> MeasuredRatio:
    return MeasuredRatio("Two programs.", ratio, low, high, "tensorflow-cpu 2.21.0", 2, 0.4, "2026-11-16", command="")


def test_each_pair_backs_the_rule_of_its_name() -> None:
    backed = {rule.name: rule.type.evidence for rule in BACKED if rule.type.evidence}
    assert {name: evidence.pair for name, evidence in backed.items()} == {name: name for name in backed}
    repaired = {evidence.by_itself: f"{name}-by-itself" for name, evidence in backed.items() if evidence.by_itself}
    assert repaired == {name: name for name in repaired}
    assert {*backed, *repaired} == {*measure.names()}


@pytest.mark.parametrize("path", PAIRS, ids=lambda path: path.stem)
def test_each_pair_has_a_slow_and_a_fast_run(path: Path) -> None:
    functions = {node.name for node in ast.parse(path.read_text("utf-8")).body if isinstance(node, ast.FunctionDef)}
    assert {"slow", "fast"} <= functions


@pytest.mark.parametrize("rule", BACKED, ids=lambda rule: rule.code)
def test_each_pair_was_measured(rule: RegisteredRule) -> None:
    assert rule.type.evidence is not None
    found = rule.type.evidence.measured(rule.file)
    assert found is not None
    assert found.about == measure.about(rule.name)
    assert found.low <= found.ratio <= found.high


def test_the_page_of_evidence_is_up_to_date() -> None:
    assert measure.PAGE.read_text("utf-8") == page(REGISTRY), f"run `{COMMAND}`"


@pytest.mark.parametrize("path", sorted((ROOT / "rules").glob("*.py")), ids=lambda path: path.stem)
def test_no_ratio_is_typed_into_a_rule(path: Path) -> None:
    assert re.findall(r"\d[\d.]* times (?:slower|faster|as long)", path.read_text("utf-8")) == []


class TestPackOfAThirdParty:
    """What its benchmark wrote beside its rules is what their documentation shows."""

    RULE = """
        from pipelint.rule import Evidence, Rule, Severity

        class Claim(Rule):
            '''Claims something.'''
            code, name, severity, fix = "TEST900", "claim", Severity.ADVICE, "none"
            evidence = Evidence({})

            def check(self, program):
                yield from ()
        """

    def told(self, workspace: Workspace, evidence: str) -> str:
        workspace.raw_rule("claim", self.RULE.format(evidence))
        return workspace.run("rule", "TEST900", "--output-format=markdown").stdout.splitlines()[-1]

    @pytest.mark.parametrize(
        ("result", "told"),
        [
            (measured(2.31, 1.6, 2.42), "2.3 times slower (1.6 to 2.4)"),
            (measured(45.2, 33.4, 48), "45 times slower (33 to 48)"),
            (measured(1.8, 0.5, 2.2), "no ratio shown here (0.5 to 2.2)"),
            (measured(0.7, 0.6, 0.8), "no ratio shown here (0.6 to 0.8)"),
        ],
    )
    def test_a_ratio_stands_with_its_interval(self, workspace: Workspace, result: MeasuredRatio, told: str) -> None:
        measure.record(workspace.root / "own_rules" / Evidence.FILE, {"other": measured(9, 8, 10), "claim": result})
        assert self.told(workspace, "pair='claim'") == (
            f"**Measured**: {told}; tensorflow-cpu 2.21.0, 2 cores · Two programs. · `{measure.COMMAND} claim`"
        )

    def test_a_pair_that_was_not_measured_says_so(self, workspace: Workspace) -> None:
        assert self.told(workspace, "pair='claim'") == "**Measured**: not yet"

    def test_a_source_alone_is_cited(self, workspace: Workspace) -> None:
        assert self.told(workspace, "source='https://example.org'") == "**Source**: https://example.org"


def test_a_later_measurement_replaces_that_of_its_own_pair_alone(tmp_path: Path) -> None:
    file = tmp_path / Evidence.FILE
    measure.record(file, {"one": measured(2, 1.5, 3), "two": measured(4, 3, 5)})
    measure.record(file, {"one": measured(3, 2, 4)})
    found = {pair: Evidence(pair).measured(file) for pair in ("one", "two", "three")}
    assert {pair: result and result.ratio for pair, result in found.items()} == {"one": 3, "two": 4, "three": None}


def test_blocks_give_a_median_with_an_interval() -> None:
    result = measure.measurement("unparallelized-map", [2.0, 2.5, 3.0], load=0.4)
    assert (result.ratio, result.low, result.high) == (2.5, 2.0, 3.0)
    assert result.shown
    assert not measure.measurement("unparallelized-map", [0.8, 1.1, 1.2], load=0.4).shown
