"""Fixes a source with one of pipelint's own rules."""

from __future__ import annotations

import ast
from pathlib import Path

from pipelint.lint.check_files import check_file
from pipelint.lint.task import Fixes, Mode, Task
from pipelint.project.projects import Overrides, Project
from pipelint.project.settings import Settings
from tests.linting import REGISTRY

TF = "import tensorflow as tf\n"


def fixed(code: str, source: str, target: tuple[int, int] = (2, 16)) -> str:
    """The source after all fixes of one rule, checked to parse and to stay as it is when fixed again."""
    project = Project(Settings(root=Path()), REGISTRY, Overrides(select=(code,), target_tensorflow=target))
    texts = [source]
    for _ in range(2):
        outcome = check_file(project, Path("train.py"), Task(Mode.FIX, Fixes.ALL), texts[-1].encode())
        assert outcome.problems == ()
        texts.append(outcome.change.after.decode() if outcome.change else texts[-1])
    ast.parse(texts[1])
    assert texts[2] == texts[1]
    return texts[1]


def found(code: str, source: str) -> int:
    project = Project(Settings(root=Path()), REGISTRY, Overrides(select=(code,), target_tensorflow=(2, 16)))
    return len(check_file(project, Path("train.py"), Task(Mode.REPORT, Fixes.ALL), source.encode()).diagnostics)
