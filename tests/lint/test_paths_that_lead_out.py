"""A configuration names only files of its project; what lies elsewhere is named on the command line."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.workspace import Workspace, tf

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="links need a right there")


@pytest.fixture
def outside(slow: Workspace) -> Path:
    """A file that is not there yet, beside a project that has something to write down."""
    slow.write("train.py", tf("x = tf.size(1)"))
    return slow.root.parent / "outside.json"


@pytest.mark.parametrize("name", ["../outside.json", "sub/../../outside.json", "link/outside.json", "link.json"])
@pytest.mark.parametrize("command", ["baseline", "check"])
def test_a_configured_baseline_stays_inside(slow: Workspace, outside: Path, name: str, command: str) -> None:
    (slow.root / "link").symlink_to(outside.parent)
    (slow.root / "link.json").symlink_to(outside)
    slow.configure(f'baseline = "{name}"')
    outcome = slow.run(command)
    assert outcome.status == 2
    assert outcome.stderr.endswith(
        f"baseline must be a path in the project: '{name}' leads out of it; use --baseline for it\n"
    )
    assert not outside.exists()


def test_so_does_the_usual_one(slow: Workspace, outside: Path) -> None:
    (slow.root / ".pipelint-baseline.json").symlink_to(outside)
    outcome = slow.run("baseline")
    assert outcome.status == 2
    assert outcome.stderr == (
        "pipelint: .pipelint-baseline.json is a link that leads out of the project; use --baseline for its target\n"
    )
    assert not outside.exists()


def test_the_command_line_may_name_any_file(slow: Workspace, outside: Path) -> None:
    assert slow.run("baseline", "--baseline", outside).status == 0
    assert "TEST101" in outside.read_text()
    assert slow.check("--baseline", outside).status == 0


def test_a_link_inside_of_the_project_is_followed(slow: Workspace, outside: Path) -> None:
    (slow.root / "lists").mkdir()
    (slow.root / "list.json").symlink_to("lists/today.json")
    slow.configure('baseline = "list.json"')
    assert slow.run("baseline").status == 0
    assert "TEST101" in slow.read("lists/today.json")
