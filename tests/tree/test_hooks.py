"""pre-commit, as a team installs it, runs the hooks of this repository in a repository of the team's."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.linting import notebook
from tests.tree.checkout import (
    MENDED,
    ROOT,
    SLOW,
    blocks_for_teams,
    copy_of_this_repository,
    environment,
    git,
    new_repository,
)

OFFLINE = ("NewConnectionError", "Name or service not known", "Temporary failure in name resolution", "Max retries")
FIX = {"id": "pipelint-fix"}
CHECK = {"id": "pipelint"}


@dataclass(frozen=True)
class Run:
    """What pre-commit said."""

    status: int
    output: str


@dataclass(frozen=True)
class Team:
    """A team's repository that names this one in its pre-commit configuration."""

    root: Path
    home: Path
    source: Path
    revision: str

    def configure(self, *hooks: dict[str, Any]) -> None:
        repository = {"repo": str(self.source), "rev": self.revision, "hooks": list(hooks)}
        (self.root / ".pre-commit-config.yaml").write_text(yaml.safe_dump({"repos": [repository]}))
        git(self.root, "add", "--all")

    def write(self, name: str, text: str) -> None:
        (self.root / name).write_text(text, "utf-8")
        git(self.root, "add", "--all")

    def read(self, name: str) -> str:
        return (self.root / name).read_text("utf-8")

    def pre_commit(self, *arguments: str) -> Run:
        completed = subprocess.run(
            [sys.executable, "-m", "pre_commit", *arguments, "--color=never"],
            cwd=self.root,
            env=environment(PRE_COMMIT_HOME=str(self.home)),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            check=False,
            timeout=600,
        )
        return Run(completed.returncode, completed.stdout)

    def run(self) -> Run:
        return self.pre_commit("run")


@pytest.fixture(scope="session")
def installation(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> tuple[Path, Path, str]:
    """A home of pre-commit, a copy of this repository and its revision; shared by the workers of one run."""
    base = tmp_path_factory.getbasetemp()
    shared = base if worker_id == "master" else base.parent
    source = shared / "pipelint"
    mine = tmp_path_factory.mktemp("source") / "pipelint"
    revision = copy_of_this_repository(mine)
    try:
        mine.rename(source)
    except OSError:
        assert git(source, "rev-parse", "HEAD") == revision, "another worker put a different tree there"
    return shared / "pre-commit", source, revision


@pytest.fixture
def team(tmp_path: Path, installation: tuple[Path, Path, str]) -> Team:
    """A team whose hooks are installed; the environment is built once."""
    home, source, revision = installation
    team = Team(new_repository(tmp_path / "project"), home, source, revision)
    team.configure(CHECK, FIX)
    installed = team.pre_commit("install-hooks")
    if any(sign in installed.output for sign in OFFLINE):
        pytest.skip("pre-commit cannot reach the package index to install the hooks")
    assert installed.status == 0, installed.output
    return team


def test_a_commit_fails_is_mended_by_the_fix_hook_and_passes(team: Team) -> None:
    team.write("train.py", SLOW)

    team.configure(CHECK)
    found = team.run()
    assert found.status == 1
    assert "train.py:3:86: warning PIPE202 hardcoded-parallelism" in found.output
    assert team.read("train.py") == SLOW, "the check hook writes nothing"

    team.configure(FIX, CHECK)
    mended = team.run()
    assert mended.status == 1, "pre-commit fails a run that changed files, so that they are looked at"
    assert "files were modified by this hook" in mended.output
    assert team.read("train.py") == MENDED

    git(team.root, "add", "--all")
    passed = team.run()
    assert passed.status == 0, passed.output
    assert passed.output.count("Passed") == 2


def test_notebooks_are_checked_and_mended(team: Team) -> None:
    team.write("train.ipynb", notebook("import tensorflow as tf", SLOW.splitlines()[2]))

    team.configure(CHECK)
    found = team.run()
    assert found.status == 1
    assert "train.ipynb:cell 2:1:86: warning PIPE202" in found.output

    team.configure(FIX)
    team.run()
    assert team.read("train.ipynb") == notebook("import tensorflow as tf", MENDED.splitlines()[2])
    git(team.root, "add", "--all")
    assert team.run().status == 0


def test_only_python_and_notebooks_are_handed_over(team: Team) -> None:
    team.write("train.txt", SLOW)
    team.configure(CHECK)
    assert "(no files to check)Skipped" in team.run().output


def test_excluded_files_are_left_out_though_pre_commit_names_them(team: Team) -> None:
    team.write("pyproject.toml", '[tool.pipelint]\nexclude = ["vendored.py"]\n')
    team.write("vendored.py", SLOW)
    team.configure(FIX, CHECK)
    assert team.run().status == 0
    assert team.read("vendored.py") == SLOW


def test_a_file_that_does_not_parse_fails_the_commit(team: Team) -> None:
    team.write("train.py", SLOW + "def f(:\n")
    team.configure(CHECK)
    broken = team.run()
    assert broken.status == 1
    assert "exit code: 2" in broken.output
    assert "train.py:5" in broken.output


def test_advice_passes_unseen_unless_the_configuration_of_the_readme_is_used(team: Team) -> None:
    team.write("train.py", MENDED + "tf.data.Options().experimental_threading.private_threadpool_size = 8\n")
    team.configure(CHECK)
    quiet = team.run()
    assert (quiet.status, "PIPE903" in quiet.output) == (0, False)

    [shown] = [hook for hook in readme_hooks() if "args" in hook]
    team.configure({**shown, "args": []})
    verbose = team.run()
    assert (verbose.status, "PIPE903 deprecated-tfdata (1)" in verbose.output) == (0, True)

    team.configure(shown)
    strict = team.run()
    assert (strict.status, "PIPE903 deprecated-tfdata (1)" in strict.output) == (1, True)


def test_the_hooks_install_no_tensorflow(team: Team) -> None:
    packages = {path.name for path in team.home.glob("*/py_env-*/lib/python*/site-packages/*")}
    assert {"pipelint", "pipelint_rules", "libcst"} <= packages
    assert not {"tensorflow", "keras", "numpy"} & packages


def test_the_manifest_is_what_pre_commit_accepts() -> None:
    validate("manifest", ROOT / ".pre-commit-hooks.yaml")
    manifest = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))
    assert [hook["id"] for hook in manifest] == ["pipelint", "pipelint-fix"]
    for hook in manifest:
        assert hook["types_or"] == ["python", "jupyter"]
        assert hook["require_serial"] is True, "parallel processes would each see a part of the project"
        assert "--force-exclude" in hook["entry"].split()


def test_the_block_of_the_readme_is_what_pre_commit_accepts(tmp_path: Path) -> None:
    path = tmp_path / ".pre-commit-config.yaml"
    path.write_text(blocks_for_teams("yaml")[0])
    validate("config", path)
    offered = {hook["id"] for hook in yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))}
    assert {hook["id"] for hook in readme_hooks()} == offered


def readme_hooks() -> list[dict[str, Any]]:
    [repository] = yaml.safe_load(blocks_for_teams("yaml")[0])["repos"]
    hooks: list[dict[str, Any]] = repository["hooks"]
    return hooks


def validate(what: str, path: Path) -> None:
    command = [sys.executable, "-m", "pre_commit", f"validate-{what}", str(path)]
    completed = subprocess.run(command, capture_output=True, text=True, check=False, env=environment())
    assert completed.returncode == 0, completed.stdout + completed.stderr
