"""Every rule finds what its cases mark, repairs it as they say, and stays silent where they give the reason."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

from tests.cases import Case, case_of, prove
from tests.linting import REGISTRY

MODULES = sorted(path.stem for path in (Path(__file__).parent / "cases").glob("[!_]*.py"))


def tables(name: str) -> Iterator[object]:
    code = REGISTRY.find(name.replace("_", "-")).code
    module = import_module(f"tests.rules.cases.{name}")
    for silent, table in ((False, module.FOUND), (True, module.SILENT)):
        for title, entry in table.items():
            yield pytest.param(code, case_of(entry), silent, id=f"{code} {'silent' if silent else 'found'}: {title}")


@pytest.mark.parametrize(("code", "case", "silent"), [case for name in MODULES for case in tables(name)])
def test_case(code: str, case: Case, silent: bool) -> None:
    assert case.silent == silent
    prove(case, code)


FOUND = "import tensorflow as tf\nmodel.fit(tf.data.TFRecordDataset(files).prefetch(1).batch(32))  #! PIPE102 advice, safe fix\n"
FIXED = "import tensorflow as tf\nmodel.fit(tf.data.TFRecordDataset(files).batch(32).prefetch(tf.data.AUTOTUNE))\n"


def test_a_case_that_says_the_truth_is_proved() -> None:
    prove(Case(FOUND, FIXED), "PIPE102")


@pytest.mark.parametrize(
    "case",
    [
        Case(FOUND.replace("  #! PIPE102 advice, safe fix", "")),
        Case(FOUND.replace("advice", "warning")),
        Case(FOUND.replace(", safe fix", "")),
        Case("tf = None  #! PIPE102 advice, safe fix\n" + FOUND),
        Case(FOUND, FOUND),
        Case(FOUND, FIXED.replace("AUTOTUNE", "experimental.AUTOTUNE")),
    ],
    ids=["a mark is missing", "severity", "fix", "a mark too many", "nothing fixed", "fixed otherwise"],
)
def test_a_case_that_does_not_is_refuted(case: Case) -> None:
    with pytest.raises(AssertionError):
        prove(case, "PIPE102")
