"""Checks a source with pipelint's own rules and tells the findings in a line each."""

from __future__ import annotations

import json
import textwrap
from pathlib import Path
from typing import Any

from pipelint.lint.check_files import check_file
from pipelint.lint.task import Task
from pipelint.project.load_rules import load_registry
from pipelint.project.projects import Overrides, Project
from pipelint.project.settings import Settings

REGISTRY = load_registry()
ROOT = Path(__file__).parent.parent


def findings(source: str, *select: str, path: str = "train.py") -> list[str]:
    """What the selected rules find, as `PIPE201:7 warning`, sorted by place; cells stand before the line."""
    project = Project(Settings(root=ROOT), REGISTRY, Overrides(select=select))
    outcome = check_file(project, Path(path), Task(), textwrap.dedent(source).lstrip("\n").encode())
    assert outcome.problems == ()
    lines = []
    for found in sorted(outcome.diagnostics, key=lambda found: found.order):
        start = found.span.start
        cell = f"{start.cell}:" if start.cell else ""
        lines.append(f"{found.code}:{cell}{start.line} {found.severity.value}")
    return lines


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
