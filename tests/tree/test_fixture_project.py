"""A project whose pipelines cross its modules in every way: what is found where, and what the fixes leave."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from pipelint.lint.diagnostic import Diagnostic
from pipelint.lint.task import Fixes, Mode, Task
from tests.linting import ROOT
from tests.projects import check

PROJECT = ROOT / "fixtures" / "project"
SOURCES = sorted(
    path.relative_to(PROJECT / "slow").as_posix()
    for path in (PROJECT / "slow").rglob("*")
    if path.suffix in (".py", ".ipynb")
)
FOUND = {
    # Of two that take the batches of another module one prefetches; the builder itself is not to blame.
    "src/shapes/evaluate.py": ["20 PIPE101 warning"],
    # numpy comes out of the package, and what makes it a layer out of another module.
    "src/shapes/model/network.py": ["13 PIPE604 error"],
    # The loop around the step stands in a script.
    "src/shapes/steps.py": ["8 PIPE701 warning"],
}
RESTS_ON_THE_BUILDER = {"src/shapes/evaluate.py"}
REPAIRED_BY_HAND = {"notebooks/few.ipynb", "src/shapes/config.py", "src/shapes/model/network.py"}
"""What has no fix: sizes of batches, and draws that may be meant."""
FIXED_AFTER_THAT = {"src/shapes/steps.py"}


@pytest.fixture
def slow(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the slow project, which is the working directory."""
    shutil.copytree(PROJECT / "slow", tmp_path / "slow", ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.chdir(tmp_path / "slow")
    return tmp_path / "slow"


def told(diagnostics: tuple[Diagnostic, ...]) -> dict[str, list[str]]:
    """Line, rule and severity of findings by file."""
    by_file: dict[str, list[str]] = {}
    for found in sorted(diagnostics, key=lambda found: found.order):
        text = f"{found.span.start.line} {found.code} {found.severity.value}"
        by_file.setdefault(found.span.path, []).append(text)
    return by_file


@pytest.mark.usefixtures("slow")
class TestTheSlowProject:
    def test_has_its_findings_where_the_faults_are(self) -> None:
        assert told(check(Path()).diagnostics) == FOUND

    def test_names_the_builder_of_what_is_found_elsewhere(self) -> None:
        builder = "src/shapes/pipeline/data.py"
        noted = {
            found.span.path
            for found in check(Path()).diagnostics
            if found.span.path != builder and builder in {note.span.path for note in found.related}
        }
        assert noted == RESTS_ON_THE_BUILDER

    def test_has_the_same_findings_file_by_file(self) -> None:
        assert {name: found for path in SOURCES for name, found in told(check(Path(path)).diagnostics).items()} == FOUND

    def test_has_the_same_findings_whatever_the_order(self) -> None:
        assert told(check(*map(Path, reversed(SOURCES))).diagnostics) == FOUND


def fix(*paths: Path) -> int:
    """Apply all fixes, and tell how many there were."""
    return check(*paths, task=Task(Mode.FIX, Fixes.ALL)).fixed


class TestTheFixes:
    def test_leave_what_has_none(self, slow: Path) -> None:
        assert fix(Path()) == 1
        assert fix(Path()) == 0
        assert [found.code for found in check(Path()).diagnostics] == ["PIPE604", "PIPE701"]
        by_hand = REPAIRED_BY_HAND | FIXED_AFTER_THAT
        for path in set(SOURCES) - by_hand:
            assert (slow / path).read_bytes() == (PROJECT / "repaired" / path).read_bytes()

    def test_and_what_is_done_by_hand_give_the_repaired_project(self, slow: Path) -> None:
        for path in REPAIRED_BY_HAND:
            shutil.copy(PROJECT / "repaired" / path, path)
        fix(Path())
        for path in SOURCES:
            assert (slow / path).read_bytes() == (PROJECT / "repaired" / path).read_bytes()


def test_nothing_is_found_in_the_repaired_project(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(PROJECT / "repaired")
    assert told(check(Path()).diagnostics) == {}
    assert {name for path in SOURCES for name in told(check(Path(path)).diagnostics)} == set()


def test_both_run() -> None:
    command = [sys.executable, "-m", "tests.tree.run_projects", str(PROJECT / "slow"), str(PROJECT / "repaired")]
    environment = os.environ | {"PYTHONDONTWRITEBYTECODE": "1", "TF_CPP_MIN_LOG_LEVEL": "3"}
    completed = subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=300, check=False
    )
    assert completed.returncode == 0, completed.stderr
    assert [line for line in completed.stdout.splitlines() if line.endswith("is done")] == [
        "slow is done",
        "repaired is done",
    ]
