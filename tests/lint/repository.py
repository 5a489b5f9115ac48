"""A git repository in a temporary directory, and pipelint's own rules run in it."""

from __future__ import annotations

import json
import os
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from pipelint.cli.program import main
from tests.workspace import Outcome

_AUTHOR = ["-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"]
_DEFAULTS = ["-c", "core.autocrlf=false", "-c", "protocol.file.allow=always"]

GOOD = """\
import tensorflow as tf

train = tf.data.TFRecordDataset("train").batch(64)
train = train.prefetch(tf.data.AUTOTUNE)
model.fit(train)
"""
BAD = GOOD.replace("train = train.prefetch(tf.data.AUTOTUNE)\n", "")
OLD_TROUBLE = """\
import tensorflow as tf

old = tf.data.TFRecordDataset("old").batch(64)
model.fit(old)
"""
MORE_TROUBLE = """
new = tf.data.TFRecordDataset("new").batch(64)
model.fit(new)
"""


def git(directory: Path, *arguments: str | Path) -> str:
    """Run git, whatever the user has configured."""
    environment = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
    command = ["git", *_AUTHOR, *_DEFAULTS, *map(str, arguments)]
    completed = subprocess.run(command, cwd=directory, env=environment, capture_output=True, check=True)
    return completed.stdout.decode("utf-8", "surrogateescape")


@dataclass
class GitProject:
    """A work tree with one branch, main, and the wish to see what is new on it."""

    root: Path

    @classmethod
    def create(cls, root: Path) -> GitProject:
        root.mkdir(parents=True, exist_ok=True)
        git(root, "init", "-q", "-b", "main")
        return cls(root)

    def git(self, *arguments: str | Path) -> str:
        return git(self.root, *arguments)

    def write(self, name: str, text: str | bytes) -> Path:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    def read(self, name: str) -> str:
        return (self.root / name).read_bytes().decode()

    def replace(self, name: str, old: str, new: str) -> None:
        text = self.read(name)
        assert old in text
        self.write(name, text.replace(old, new))

    def commit(self, message: str = "work") -> str:
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", message)
        return self.git("rev-parse", "HEAD").strip()

    def run(self, *arguments: str | Path, stdin: str | bytes = "") -> Outcome:
        result = CliRunner().invoke(main, [str(argument) for argument in arguments], input=stdin)
        return Outcome(result.exit_code, result.stdout, result.stderr)

    def check(self, *arguments: str | Path, stdin: str | bytes = "") -> Outcome:
        return self.run("check", *arguments, stdin=stdin)

    def new(self, *arguments: str | Path, since: str = "main") -> list[str]:
        """What is new, as `train.py:3 missing-prefetch`, with the cell before the line."""
        outcome = self.check("--since", since, "--output-format=json", *arguments)
        assert outcome.status in (0, 1), outcome.stderr
        assert outcome.json["errors"] == []
        return told(outcome.json)


def told(report: Any) -> list[str]:
    """The findings of a JSON report, a short line each."""
    return [
        f"{found['path']}:{'' if found['cell'] is None else str(found['cell']) + ':'}{found['line']} {found['name']}"
        for found in report["findings"]
    ]


def notebook(*cells: str, outputs: str = "") -> str:
    """A notebook of code cells that printed `outputs`."""
    shown = [{"output_type": "stream", "name": "stdout", "text": outputs}] if outputs else []
    code = [
        {"cell_type": "code", "metadata": {}, "execution_count": 1, "outputs": shown, "source": cell} for cell in cells
    ]
    return json.dumps({"cells": code, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}, indent=1)


def branch_at_main(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> GitProject:
    """A branch `work`, still at the commit of main, in which an old file has a finding and a good one has none."""
    for variable in ("NO_COLOR", "FORCE_COLOR", *(name for name in os.environ if name.startswith("GIT_"))):
        monkeypatch.delenv(variable, raising=False)
    project = GitProject.create(tmp_path / "project")
    monkeypatch.chdir(project.root)
    project.write("pyproject.toml", '[tool.pipelint]\nselect = ["PIPE101", "PIPE001"]\ntarget-tensorflow = "2.8"\n')
    project.write("old.py", OLD_TROUBLE)
    project.write("train.py", GOOD)
    project.commit()
    project.git("checkout", "-q", "-b", "work")
    return project
