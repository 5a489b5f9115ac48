"""A small fixed budget of random inputs in every run of the tests, and all that was ever found."""

from __future__ import annotations

import random

import pytest

from pipelint.rule import Rule
from tests.fuzz.__main__ import Share
from tests.fuzz.cases import KINDS, Case, kept, make
from tests.fuzz.minimise import minimised
from tests.linting import REGISTRY

BUDGETS = {"program": 60, "mutation": 60, "comment": 50, "growth": 16, "notebook": 60, "configuration": 40}
"""How many inputs of each kind; `python -m tests.fuzz` takes any number."""
SEED = 0


@pytest.mark.parametrize("kind", KINDS)
def test_whatever_stands_in_a_file_promises_are_kept(kind: str) -> None:
    for *_, failure in Share(SEED, 0, 1, BUDGETS[kind], kind).outcomes():
        if failure:
            small = minimised(failure.case, failure.complaint, seconds=20)
            pytest.fail(f"{failure.complaint}\n{failure.seed}, minimised: {small}")


@pytest.mark.parametrize(("name", "cases"), kept().items(), ids=list(kept()))
def test_what_was_found_once_stays_mended(name: str, cases: list[Case]) -> None:
    assert [complaint for case in cases if (complaint := case.complaint())] == []


def test_an_input_comes_from_its_seed_alone() -> None:
    for kind in KINDS:
        assert make(kind, random.Random("7")) == make(kind, random.Random("7"))


def test_a_fault_is_told_and_made_small(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(rule: Rule, program: object) -> None:
        raise RuntimeError("a fault of the rule")

    monkeypatch.setattr(REGISTRY["PIPE201"].type, "check", fail)
    source = b"# a comment\nimport tensorflow as tf\nds = tf.data.Dataset.range(3000).map(f)\nmodel.fit(ds)\n"
    case = Case("train.py", source, "safe", "usual")
    complaint = case.complaint()
    assert complaint is not None
    assert "a fault of the rule" in complaint
    small = minimised(case, complaint)
    assert small.complaint() is not None
    assert len(small.data) < 20
