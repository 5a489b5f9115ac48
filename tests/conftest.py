"""Projects for tests."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.workspace import Workspace


@pytest.fixture
def workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Workspace:
    """An empty project without rules, in which pipelint runs."""
    for variable in ("NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(variable, raising=False)
    root = tmp_path / "project"
    root.mkdir()
    monkeypatch.chdir(root)
    return Workspace(root)


@pytest.fixture
def slow(workspace: Workspace) -> Workspace:
    """A project where tf.size is a warning with a safe fix, tf.rank advice with an unsafe one, tf.shape an error."""
    workspace.rule("TEST101", "no-size", "size", "shape_n")
    workspace.rule("TEST102", "no-rank", "rank", "ndim", safety="unsafe", severity="ADVICE")
    workspace.rule("TEST201", "no-shape", "shape", severity="ERROR")
    return workspace
