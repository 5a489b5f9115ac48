"""Checks and fixes a source with pipelint's own rules."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pipelint.lint.check_batch import check_file
from pipelint.lint.results import FileResult
from pipelint.lint.task import Fixes, Mode, Task
from pipelint.project.load_rules import load_registry
from pipelint.project.projects import Overrides, Project
from pipelint.project.settings import Settings

REGISTRY = load_registry()
ROOT = Path(__file__).parent.parent


def check(
    source: str,
    overrides: Overrides,
    mode: Mode = Mode.REPORT,
    path: str = "train.py",
    options: Mapping[str, Mapping[str, int]] | None = None,
) -> FileResult:
    """What pipelint says of a source that it can read, with all fixes, unsafe ones too, where it fixes."""
    project = Project(Settings(root=ROOT, rule_options=options or {}), REGISTRY, overrides)
    outcome = check_file(project, Path(path), Task(mode, Fixes.ALL), source.encode())
    assert outcome.problems == ()
    return outcome


def fixed(
    source: str,
    overrides: Overrides,
    path: str = "train.py",
    options: Mapping[str, Mapping[str, int]] | None = None,
) -> str:
    """The source with all fixes applied."""
    change = check(source, overrides, Mode.FIX, path, options).change
    return change.after.decode() if change else source


def notebook(*cells: str) -> str:
    """The text of a notebook with these code cells."""
    code: list[dict[str, Any]] = [
        {
            "cell_type": "code",
            "execution_count": None,
            "metadata": {},
            "outputs": [],
            "source": textwrap.dedent(cell).strip(),
        }
        for cell in cells
    ]
    metadata = {"language_info": {"name": "python"}}
    return json.dumps({"cells": code, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5})
