"""Projects for tests."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.pages import CHROMIUM, FLAGS
from tests.workspace import IMPORT, Workspace, tf

if TYPE_CHECKING:
    from playwright.sync_api import Browser

# The cache of whoever runs the tests is none of their business, and most look again at what they have just changed.
os.environ["PIPELINT_NO_CACHE"] = "1"

HOSTILE = "50%, [a](b) `x` | y\n::error::z\r\x00\x1b[31m]]> </script> & \u202e \ud800 \uffff \N{GRINNING FACE}"


@pytest.fixture
def workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Workspace:
    """An empty project without rules, in which pipelint runs."""
    for variable in ("NO_COLOR", "FORCE_COLOR", "GITHUB_ACTIONS"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("PIPELINT_ALLOW_LOCAL_RULES", "1")
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


@pytest.fixture
def no_ci(monkeypatch: pytest.MonkeyPatch) -> None:
    """The reports are those of a run at home, wherever the tests run."""
    for variable in ("GITHUB_WORKSPACE", "CI_PROJECT_DIR"):
        monkeypatch.delenv(variable, raising=False)


@pytest.fixture
def failing(slow: Workspace) -> Workspace:
    """A project with a file and a cell that cannot be parsed, and a path that is missing."""
    slow.write("broken.py", tf("x = 1", "def ("))
    slow.notebook("n.ipynb", IMPORT, "x = 1\ntf.size(x y)")
    slow.write("train.py", tf("tf.size(1)"))
    return slow


@pytest.fixture
def related(workspace: Workspace) -> Workspace:
    """A rule whose findings relate to another place, and whose fix has two edits."""
    workspace.raw_rule(
        "related",
        """
        from pipelint.rule import Edit, Fix, Region, Related, ReplaceText, Rule, Safety, Severity

        class Tell(Rule):
            '''Relates.'''
            code, name, severity, fix = "TEST900", "tell", Severity.ADVICE, "safe"

            def check(self, program):
                for reference in program.references:
                    if reference.name == "tensorflow.size":
                        edits = Edit(Region(0, 0), "import os\\n"), Edit(reference.region, "os.size")
                        fix = Fix("use os", Safety.SAFE, ReplaceText(edits))
                        related = (Related(Region(7, 17), "imported"),)
                        yield self.finding(reference.region, "here", fix=fix, related=related)
        """,
    )
    return workspace


@pytest.fixture
def hostile(workspace: Workspace) -> Workspace:
    """Findings whose message, path and source hold all that a format could trip over."""
    # Read back from its repr, since a half of a surrogate pair cannot be written to a file.
    workspace.rule("TEST101", "no-size", "size", "shape", message=HOSTILE)
    source = tf("'</script> ]]> & \u202e % ::', tf.size(1)")
    workspace.write("a %,:[b]&<c>`|.py", source)
    workspace.write("new\nline\x01.py", source)
    workspace.write("mirror\u202e.py", source)
    if sys.platform == "linux":
        workspace.write(os.fsdecode(b"tr\xffain.py"), source)
    return workspace


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Chromium without a window, one for all tests."""
    if CHROMIUM is None:
        pytest.skip("needs Chromium: install the package chromium")
    api = pytest.importorskip("playwright.sync_api", reason="needs Playwright: pip install 'pipelint[dev]'")
    with api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()
