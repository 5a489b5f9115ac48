"""A repository can name programs that git is to run in a dozen ways: `--since` runs none of them."""

from __future__ import annotations

import ast
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from pipelint.source.git import Repository
from pipelint.source.git_process import GitError
from tests.lint.repository import BAD, OLD_TROUBLE, GitProject, branch_at_main, git

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the traps are shell scripts")
NEW = "import tensorflow as tf; model.fit(\n    tf.data.TFRecordDataset(['x', 'y']).batch(8)\n)\n"
PACKAGE = Path(__file__).parents[2] / "pipelint"


class Trap:
    """A program that leaves a mark when it runs, in a repository with something new and something renamed."""

    def __init__(self, project: GitProject, directory: Path) -> None:
        self.project = project
        self.mark = directory / "was-run"
        self.script = directory / "trap"
        # As a filter or converter it passes on what it gets.
        self.script.write_text(f'#!/bin/sh\ntouch "{self.mark}"\nexec cat\n')
        self.script.chmod(0o755)

    def config(self, key: str, value: str | None = None) -> None:
        self.project.git("config", key, str(self.script) if value is None else value)

    @property
    def sprung(self) -> bool:
        found = self.mark.exists()
        self.mark.unlink(missing_ok=True)
        return found


@pytest.fixture
def trap(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Trap:
    project = branch_at_main(tmp_path, monkeypatch)
    project.write("train.py", BAD)
    project.git("mv", "old.py", "older.py")
    project.write("older.py", OLD_TROUBLE + "# changed\n")
    project.write("untracked.py", NEW)
    return Trap(project, tmp_path)


def _hooks(trap: Trap) -> None:
    for name in ("post-index-change", "fsmonitor-watchman", "reference-transaction", "post-checkout"):
        shutil.copy(trap.script, trap.project.root / ".git" / "hooks" / name)


def _other_hooks(trap: Trap) -> None:
    shutil.copy(trap.script, trap.project.write("hooks/post-index-change", "").parent / "post-index-change")
    trap.config("core.hooksPath", "hooks")


def _fsmonitor(trap: Trap) -> None:
    trap.config("core.fsmonitor")


def _clean_filter(trap: Trap) -> None:
    trap.config("filter.evil.clean")
    trap.project.write(".gitattributes", "*.py filter=evil\n")


def _required_process_filter(trap: Trap) -> None:
    trap.config("filter.evil.process")
    trap.config("filter.evil.required", "true")
    trap.project.write(".git/info/attributes", "*.py filter=evil\n")


def _filter_of_an_odd_name(trap: Trap) -> None:
    trap.config("filter.a=b.Clean C.clean")
    trap.config("filter.a=b.Clean C.required", "true")
    trap.project.write(".gitattributes", '*.py "filter=a=b.Clean C"\n*.py filter=a=b.Clean\n')
    trap.config("filter.a=b.Clean.clean")


def _filter_of_an_included_file(trap: Trap) -> None:
    trap.project.write(".git/more", f'[filter]\n\tx = y\n[filter "evil"]\n\tclean = {trap.script}\n')
    trap.config("include.path", "more")
    trap.project.write(".gitattributes", "*.py filter=evil\n")


def _external_diff(trap: Trap) -> None:
    trap.config("diff.external")


def _diff_driver(trap: Trap) -> None:
    trap.config("diff.evil.command")
    trap.config("diff.evil.textconv")
    trap.config("diff.evil.cachetextconv", "true")
    trap.project.write(".gitattributes", "*.py diff=evil\n")


def _pager(trap: Trap) -> None:
    for key in (
        "core.pager",
        "pager.diff",
        "pager.rev-parse",
        "core.editor",
        "sequence.editor",
        "interactive.diffFilter",
    ):
        trap.config(key)


def _alias(trap: Trap) -> None:
    for name in ("diff", "rev-parse", "cat-file", "ls-files", "config"):
        trap.config(f"alias.{name}", f"!{trap.script}")


def _submodule(trap: Trap) -> None:
    inner = GitProject.create(trap.project.root / "inner")
    inner.write("train.py", BAD)
    inner.commit()
    inner.git("config", "core.fsmonitor", str(trap.script))
    trap.project.git("add", "inner")
    inner.write("train.py", OLD_TROUBLE)


TRAPS = [
    _hooks, _other_hooks, _fsmonitor, _clean_filter, _required_process_filter, _filter_of_an_odd_name,
    _filter_of_an_included_file, _external_diff, _diff_driver, _pager, _alias, _submodule,
]  # fmt: skip


@pytest.mark.parametrize("plant", TRAPS, ids=lambda plant: plant.__name__.strip("_").replace("_", " "))
def test_what_the_repository_names_is_not_run(trap: Trap, plant: Callable[[Trap], None]) -> None:
    plant(trap)
    trap.mark.unlink(missing_ok=True)
    assert trap.project.new() == ["train.py:3 missing-prefetch", "untracked.py:2 missing-prefetch"]
    assert not trap.sprung


@pytest.mark.parametrize(
    "plant", [_hooks, _other_hooks, _fsmonitor, _clean_filter, _filter_of_an_odd_name, _filter_of_an_included_file]
)
def test_the_traps_are_real(trap: Trap, plant: Callable[[Trap], None]) -> None:
    """Git itself, asked to take up what is there, steps into them."""
    plant(trap)
    subprocess.run(["git", "add", "--all"], cwd=trap.project.root, check=True, capture_output=True)
    assert trap.sprung


@pytest.mark.parametrize(
    "variable",
    ["GIT_EXTERNAL_DIFF", "GIT_PAGER", "GIT_SSH_COMMAND", "GIT_ASKPASS", "GIT_EDITOR", "GIT_PROXY_COMMAND"],
)
def test_nor_what_the_environment_names(trap: Trap, monkeypatch: pytest.MonkeyPatch, variable: str) -> None:
    monkeypatch.setenv(variable, str(trap.script))
    assert len(trap.project.new()) == 2
    assert not trap.sprung


def test_the_user_may_still_say_which_directories_are_safe(trap: Trap, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1")
    for name, value in {"COUNT": "1", "KEY_0": "safe.directory", "VALUE_0": "*"}.items():
        monkeypatch.setenv(f"GIT_CONFIG_{name}", value)
    assert len(trap.project.new()) == 2


def test_a_directory_that_looks_like_a_repository_is_none(trap: Trap) -> None:
    """A checkout can hold the files of a bare repository, whose configuration would count for whoever is in it."""
    bare = trap.project.root / "docs" / "data"
    git(trap.project.root, "init", "-q", "--bare", bare)
    git(bare, "config", "core.fsmonitor", str(trap.script))
    git(bare, "config", "core.bare", "false")
    git(bare, "config", "core.worktree", str(trap.project.root))
    (bare / "train.py").write_text(BAD)
    outcome = trap.project.check("--since=main", bare)
    assert not trap.sprung
    assert outcome.status == 2
    assert outcome.errors == [
        f"pipelint: --since: cannot use bare repository '{bare}' (safe.bareRepository is 'explicit')"
    ]


def test_an_object_that_is_missing_is_not_fetched(trap: Trap) -> None:
    """The clone names the program that would fetch it."""
    blob = trap.project.git("rev-parse", "main:train.py").strip()
    (trap.project.root / ".git" / "objects" / blob[:2] / blob[2:]).unlink()
    for key, value in {
        "core.repositoryFormatVersion": "1",
        "extensions.partialClone": "origin",
        "remote.origin.promisor": "true",
        "remote.origin.url": "ssh://example.invalid/x",
        "remote.origin.uploadpack": str(trap.script),
        "core.sshCommand": str(trap.script),
        "core.gitProxy": str(trap.script),
        "credential.helper": str(trap.script),
        "protocol.allow": "always",
    }.items():
        trap.config(key, value)
    with pytest.raises(GitError):
        Repository.around(trap.project.root).content(blob)
    assert trap.project.check("--since=main").status == 2
    trap.config("remote.origin.url", f"ext::{trap.script}")
    assert trap.project.check("--since=main").status == 2
    assert not trap.sprung


@pytest.mark.parametrize("path", ["", ".", "bin"])
def test_a_git_of_the_checkout_is_not_the_users(trap: Trap, monkeypatch: pytest.MonkeyPatch, path: str) -> None:
    fake = trap.project.root / path / "git"
    fake.parent.mkdir(exist_ok=True)
    shutil.copy(trap.script, fake)
    monkeypatch.setenv("PATH", os.pathsep.join([path, os.environ["PATH"]]))
    assert len(trap.project.new()) == 2
    assert not trap.sprung


def test_without_git_there_is_one_line(trap: Trap, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    assert trap.project.check("--since=main").errors == ["pipelint: --since: git is not installed"]


def test_there_is_one_door() -> None:
    starters = {"subprocess", "pty", "multiprocessing"}
    found = set()
    for path in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            if starters & {name.partition(".")[0] for name in names}:
                found.add(path.relative_to(PACKAGE).as_posix())
    assert found == {
        "source/git_process.py",
        "dynamic/process/channel.py",
        "dynamic/process/supervisor.py",
        "dynamic/measure/data_service.py",  # workers of TensorFlow's own, below the child
        "lint/workers.py",  # more of itself
        "knowledge/generate/whole_table.py",  # for those who work on pipelint
    }
