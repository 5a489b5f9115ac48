"""Whole scripts and notebooks: what pipelint makes of the slow ones is the repaired ones, to the byte."""

from __future__ import annotations

from pathlib import Path

import pytest

from pipelint.lint.check_batch import check_file
from pipelint.lint.task import Fixes, Mode, Task
from pipelint.model.grades import Severity
from pipelint.project.projects import Overrides, Project
from pipelint.project.settings import Settings
from tests.linting import REGISTRY, ROOT

SLOW = sorted((ROOT / "fixtures" / "slow").iterdir())


PROJECT = Project(Settings(root=ROOT), REGISTRY, Overrides())


def check(path: Path, data: bytes) -> tuple[bytes, list[str]]:
    """The file after all fixes, and the codes of what is left."""
    outcome = check_file(PROJECT, path, Task(Mode.FIX, Fixes.ALL), data)
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
    assert {name: codes for name, codes in left.items() if codes} == {
        "custom_loop.py": ["PIPE802"],
        "generator.py": ["PIPE501"],
        "pil_function.py": ["PIPE503"],
    }


def culprits() -> list[tuple[str, int, str, str]]:
    """The rows of the table in fixtures/README.md: script, line, stage and rule."""
    scripts, _, _ = (ROOT / "fixtures" / "README.md").read_text("utf-8").partition("## A project")
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in scripts.splitlines() if ".py |" in line]
    return [(script, int(line), stage, code) for script, line, stage, code, _ in rows]


def found_in(script: str) -> list[tuple[int, str, Severity]]:
    """Line, rule and severity of all that is found in a slow script."""
    path = ROOT / "fixtures" / "slow" / script
    outcome = check_file(PROJECT, path, Task(), path.read_bytes())
    return [(found.span.start.line, found.code, found.severity) for found in outcome.diagnostics]


@pytest.mark.parametrize(("script", "line", "stage", "code"), culprits())
class TestTheStageThatSlowsAScript:
    def test_is_found_at_its_line(self, script: str, line: int, stage: str, code: str) -> None:
        # How long a look into a table takes depends on the texts.
        severity = Severity.ADVICE if script == "text_lines.py" else Severity.WARNING
        assert (line, code, severity) in found_in(script)
        source = (ROOT / "fixtures" / "slow" / script).read_text("utf-8")
        assert f".{stage}(" in source.splitlines()[line - 1]

    def test_is_the_only_one_that_is_found(self, script: str, line: int, stage: str, code: str) -> None:
        assert {found for found, _, _ in found_in(script)} == {line}


def test_the_demo_of_the_readme_has_two_faults_that_the_fixes_repair() -> None:
    path = ROOT / "fixtures" / "demo.py"
    found = check_file(PROJECT, path, Task(), path.read_bytes()).diagnostics
    assert [(diagnostic.code, diagnostic.severity) for diagnostic in found] == [
        ("PIPE301", Severity.ERROR),
        ("PIPE110", Severity.ERROR),
    ]
    after, left = check(path, path.read_bytes())
    assert left == []
    assert (
        b"dataset.map(load).cache().map(augment, num_parallel_calls=tf.data.AUTOTUNE)\n    dataset = dataset.shuffle(1000)"
        in after
    )
    assert len(path.read_text("utf-8").splitlines()) <= 30
