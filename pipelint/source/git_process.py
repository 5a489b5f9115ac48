"""The one door to git: what a repository's configuration, attributes and hooks name as programs does not run."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

# What tells git where its own configuration is. Others bind it to a repository, as in a hook, or name programs.
_KEPT = frozenset(
    {"GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM", "GIT_CONFIG_COUNT", "GIT_CONFIG_PARAMETERS"}
    | {"GIT_EXEC_PATH", "GIT_CEILING_DIRECTORIES", "GIT_DISCOVERY_ACROSS_FILESYSTEM"}
)
_KEPT_PREFIXES = ("GIT_CONFIG_KEY_", "GIT_CONFIG_VALUE_")
_EMPTY, _FALSE = "PIPELINT_GIT_EMPTY", "PIPELINT_GIT_FALSE"
_OURS = {
    "LC_ALL": "C",
    "GIT_OPTIONAL_LOCKS": "0",
    # A clone that lacks an object would fetch it, by whatever program its configuration names.
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_ALLOW_PROTOCOL": "",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_ASKPASS": "",
    "SSH_ASKPASS": "",
    _EMPTY: "",
    _FALSE: "false",
}
# On the command line they win over every file.
_SETTINGS = {
    "core.hooksPath": "/dev/null",
    "core.fsmonitor": "false",
    "core.pager": "cat",
    "core.askPass": "",
    "credential.helper": "",
    "diff.external": "",
    "diff.relative": "false",
    # A directory of a checkout can look like a repository, with a configuration of its own.
    "safe.bareRepository": "explicit",
}


class GitError(Exception):
    """Why git could not answer, in one line."""


def run_git(
    directory: Path, *arguments: str, stdin: bytes = b"", index: Path | None = None, without: Sequence[str] = ()
) -> bytes:
    """What git answers in a directory, on this index and without these filters; raises GitError."""
    environment = _environment(os.environ)
    if index is not None:
        environment["GIT_INDEX_FILE"] = str(index)
    settings = [part for name, value in _SETTINGS.items() for part in ("-c", f"{name}={value}")]
    command = [_program(), "--no-pager", *settings, *_switched_off(without), *arguments]
    try:
        # No argument is read by a shell.
        completed = subprocess.run(  # noqa: S603
            command, cwd=directory, env=environment, input=stdin, capture_output=True, check=False
        )
    except OSError as error:
        raise GitError(f"git cannot be run: {error}") from error
    if completed.returncode:
        said = completed.stderr.decode("utf-8", "replace").strip().splitlines() or ["git failed"]
        raise GitError(said[0].removeprefix("fatal: ").removeprefix("error: "))
    return completed.stdout


def filter_names(directory: Path) -> list[str]:
    """The filters that any configuration defines: git has no switch for all of them."""
    listed = run_git(directory, "config", "--null", "--list", "--name-only")
    keys = (os.fsdecode(key) for key in listed.split(b"\0"))
    names = {key.partition(".")[2].rpartition(".")[0] for key in keys if key.startswith("filter.")}
    return sorted(name for name in names if name)


def _switched_off(filters: Sequence[str]) -> Iterator[str]:
    """Options that leave filters without a program; unlike `-c` they take a name with an `=` in it."""
    for name in filters:
        # An empty process is preferred to the other commands, and does nothing.
        yield from (f"--config-env=filter.{name}.process={_EMPTY}", f"--config-env=filter.{name}.required={_FALSE}")


def _environment(outer: Mapping[str, str]) -> dict[str, str]:
    ours = {
        name: value
        for name, value in outer.items()
        if not name.startswith("GIT_") or name in _KEPT or name.startswith(_KEPT_PREFIXES)
    }
    return ours | _OURS


def _program() -> str:
    """The git of the user's PATH; relative entries, and the working directory on Windows, may be a stranger's."""
    name = "git.exe" if sys.platform == "win32" else "git"
    for directory in os.environ.get("PATH", os.defpath).split(os.pathsep):
        candidate = os.path.join(directory, name)
        if os.path.isabs(directory) and os.path.isfile(candidate) and os.access(candidate, os.X_OK):
            return candidate
    raise GitError("git is not installed")
