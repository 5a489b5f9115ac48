"""Inputs of IPython and Jupyter: named as their outputs are marked, with their source."""

from __future__ import annotations

import linecache
import sys
import types

import pytest

from pipelint.dynamic.capture.interactive_cells import named_by_number
from pipelint.source.paths import shown_file

CODE_NAME = "/tmp/ipykernel_7/1234.py"


@pytest.fixture
def ipython(monkeypatch: pytest.MonkeyPatch) -> None:
    """A shell that ran one cell as its fourth input."""
    shell = types.SimpleNamespace(compile=types.SimpleNamespace(_filename_map={CODE_NAME: 4}))
    monkeypatch.setitem(sys.modules, "IPython", types.SimpleNamespace(get_ipython=lambda: shell))
    monkeypatch.setitem(linecache.cache, CODE_NAME, (7, None, ["x = 1\n", "y\n"], CODE_NAME))


@pytest.mark.usefixtures("ipython")
def test_code_of_an_input_is_named_after_its_number() -> None:
    name = named_by_number(CODE_NAME)
    assert shown_file(name) == "In[4]"
    assert linecache.getline(name, 1) == "x = 1\n"


@pytest.mark.usefixtures("ipython")
def test_code_of_a_file_keeps_its_name() -> None:
    assert named_by_number("/home/train.py") == "/home/train.py"


def test_without_ipython_names_are_kept() -> None:
    assert named_by_number(CODE_NAME) == CODE_NAME
