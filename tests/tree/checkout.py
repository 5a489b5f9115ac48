"""What a team has around pipelint: git repositories, a copy of this one, and the blocks that docs/teams.md offers."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[2]
SHIPPED = ("pipelint", "rules", "pyproject.toml", "README.md", "LICENSE", ".pre-commit-hooks.yaml", "action.yml")

# The same content gives the same commit, whoever runs the tests and when.
GIT_ENVIRONMENT = {
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    **{f"GIT_{who}_{what}": "tester" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")},
    **{f"GIT_{who}_DATE": "2024-01-01T00:00:00Z" for who in ("AUTHOR", "COMMITTER")},
}

SLOW = """\
import tensorflow as tf

model.fit(tf.data.TFRecordDataset("train").map(tf.io.decode_jpeg, num_parallel_calls=1).batch(64))
dataset = tf.data.TFRecordDataset("train.tfrecord").batch(64).prefetch(tf.data.AUTOTUNE)
"""
MENDED = SLOW.replace("num_parallel_calls=1", "num_parallel_calls=tf.data.AUTOTUNE")


def environment(**more: str) -> dict[str, str]:
    """The environment of the tests, without what a surrounding git, pre-commit or GitHub runner left there."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("GIT_", "GITHUB_", "PRE_COMMIT"))}
    return {**kept, **GIT_ENVIRONMENT, **more}


def git(repository: Path, *arguments: str) -> str:
    """Run git there and return what it says."""
    command = ["git", "-c", "protocol.file.allow=always", *arguments]
    completed = subprocess.run(
        command, cwd=repository, env=environment(), capture_output=True, text=True, check=False, timeout=60
    )
    assert completed.returncode == 0, completed.stderr
    return completed.stdout.strip()


def new_repository(path: Path) -> Path:
    """An empty repository whose branch is main."""
    path.mkdir(parents=True)
    git(path, "init", "--quiet", "--initial-branch=main")
    return path


def commit(repository: Path, message: str = "work", **files: str | None) -> str:
    """Commit these files (`train_py` is train.py; None deletes) and return the commit's name."""
    for name, text in files.items():
        path = repository / re.sub(r"_(py|ipynb|toml)$", r".\1", name)
        if text is None:
            path.unlink()
        else:
            path.write_text(text, "utf-8")
    git(repository, "add", "--all")
    git(repository, "commit", "--quiet", "--allow-empty", f"--message={message}")
    return git(repository, "rev-parse", "HEAD")


def copy_of_this_repository(path: Path) -> str:
    """Put what users install, uncommitted work included, into a repository there and return its only commit."""
    new_repository(path)
    for name in SHIPPED:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, path / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, path / name)
    return commit(path)


def blocks_for_teams(language: str) -> list[str]:
    """The blocks of a language that docs/teams.md offers."""
    text = (ROOT / "docs/teams.md").read_text("utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```$", text, flags=re.MULTILINE | re.DOTALL)
