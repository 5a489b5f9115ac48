"""The rule in CONTRIBUTING.md does what it says when it is copied into a project."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.workspace import Workspace

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
(RULE,) = re.findall(r"^```python\n(.*?)^```$", TEXT, flags=re.MULTILINE | re.DOTALL)
BEFORE = "import tensorflow as tf\nds = tf.data.Dataset.range(9).shuffle(1).batch(3)\nmodel.fit(ds)\n"


@pytest.fixture
def project(workspace: Workspace) -> Workspace:
    workspace.configure(select="TEAM")
    workspace.raw_rule("shuffle-of-one", RULE)
    workspace.write("train.py", BEFORE)
    return workspace


def test_the_rule_finds_and_mends(project: Workspace) -> None:
    (finding,) = project.check("--output-format=json").json["findings"]
    assert (finding["code"], finding["line"], finding["fix"]["safety"]) == ("TEAM101", 2, "unsafe")
    assert project.check("--fix", "--unsafe-fixes").status == 0
    assert project.read("train.py") == BEFORE.replace("shuffle(1)", "shuffle(1000)")


def test_the_rule_explains_itself(project: Workspace) -> None:
    assert "leaves the order as it was" in project.run("rule", "TEAM101").stdout


def test_the_rule_is_short() -> None:
    assert len([line for line in RULE.splitlines() if line]) <= 25


def test_the_folders_are_those_of_the_tree() -> None:
    told = {name.rstrip("/") for name in re.findall(r"^\| `([\w/.]+)` \|", TEXT, flags=re.MULTILINE)}
    packages = {f"pipelint/{path.parent.name}" for path in ROOT.glob("pipelint/*/__init__.py")}
    assert told == packages | {"pipelint/rule.py", "rules", "tests", "editors", "fixtures"}
