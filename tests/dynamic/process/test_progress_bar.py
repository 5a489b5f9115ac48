"""Progress is shown where a person looks on: a line below a notebook's cell, lines in a file."""

from __future__ import annotations

import io
import sys
import types

import pytest

from pipelint.dynamic.process.channel import Progress
from pipelint.dynamic.process.progress_bar import ProgressBar


def test_a_notebook_has_a_line_that_goes_when_all_is_done(monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[str] = []
    handle = types.SimpleNamespace(update=shown.append)
    display = types.SimpleNamespace(Pretty=str, HTML=str, display=lambda text, display_id: handle)
    for name, module in (("ipykernel", display), ("IPython", display), ("IPython.display", display)):
        monkeypatch.setitem(sys.modules, name, module)
    with ProgressBar(io.StringIO()) as bar:
        bar.show(Progress("measuring each stage", 0.25, measuring=True))
        bar.show(Progress("trying the best setting", 0.9, measuring=True))
    assert shown == ["measuring each stage 25%", "trying the best setting 90%", ""]


def test_a_file_has_a_line_for_each_thing_done() -> None:
    stream = io.StringIO()
    with ProgressBar(stream) as bar:
        bar.show(Progress("running train.py", 0.0, measuring=False))
        bar.show(Progress("measuring each stage", 0.25, measuring=True))
        bar.show(Progress("measuring each stage", 0.5, measuring=True))
        bar.tell("24 batches/s")
    assert stream.getvalue() == "pipelint: measuring each stage\npipelint: 24 batches/s\n"
