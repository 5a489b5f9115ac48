"""Whole scripts and notebooks: what pipelint makes of the slow ones is the repaired ones, to the byte."""

from __future__ import annotations

from pathlib import Path

import pytest

from pipelint.check import Mode, Task, check_file
from pipelint.config import Settings
from pipelint.fixing import Fixes
from pipelint.project import Overrides, Project
from tests.linting import REGISTRY, ROOT

SLOW = sorted((ROOT / "fixtures" / "slow").iterdir())


def check(path: Path, data: bytes) -> tuple[bytes, list[str]]:
    """The file after all fixes, and the codes of what is left."""
    project = Project(Settings(root=ROOT), REGISTRY, Overrides())
    outcome = check_file(project, path, Task(Mode.FIX, Fixes.ALL), data)
    assert outcome.problems == ()
    return outcome.change.after if outcome.change else data, [found.code for found in outcome.diagnostics]


@pytest.mark.parametrize("path", SLOW, ids=lambda path: path.name)
def test_all_fixes_give_the_repaired_program(path: Path) -> None:
    repaired = (ROOT / "fixtures" / "repaired" / path.name).read_bytes()
    after, left = check(path, path.read_bytes())
    assert after == repaired
    assert check(path, repaired) == (repaired, left)


def test_the_repaired_programs_keep_only_what_has_no_fix() -> None:
    left = {path.name: check(path, path.read_bytes())[1] for path in sorted((ROOT / "fixtures" / "repaired").iterdir())}
    assert left == {"custom_loop.py": ["PIPE801", "PIPE802"], "digits.ipynb": [], "images.py": []}
