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
