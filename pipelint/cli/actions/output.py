"""Where results go: a stream, or the file that an option names."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TextIO

from pipelint.display.terminal import one_line
from pipelint.source.errors import UserError

_COMMAND = re.compile(r"^[ \t]*::|##\[", re.MULTILINE)


def emit(output: str | bytes, stream: TextIO) -> None:
    """Write, and stay quiet where the reader has left, as `head` does."""
    try:
        if isinstance(output, bytes):
            stream.buffer.write(output)
        else:
            stream.write(output)
        stream.flush()
    except BrokenPipeError:
        # The interpreter flushes once more at its end and must find something to write to.
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def complain(*lines: str) -> None:
    """Tell what went wrong, each in one line on stderr."""
    emit(readable("".join(f"pipelint: {one_line(line)}\n" for line in lines)), sys.stderr)


def readable(text: str, environment: Mapping[str, str] = os.environ) -> str:
    """Text for people, in whose names of files and source the runner of a GitHub workflow finds no commands."""
    if environment.get("GITHUB_ACTIONS") != "true" or not _COMMAND.search(text):
        return text
    import secrets  # slow to load

    # The runner's own way: what follows is no command until a word comes that nobody can guess.
    word = secrets.token_hex(16)
    return f"::stop-commands::{word}\n{text}::{word}::\n"


def require_writable(option: str, path: Path) -> None:
    """Refuse before the run, when nothing has been done and no time been spent."""
    reason = (
        "is a directory"
        if path.is_dir()
        else f"{path.parent} is not a directory"
        if not path.parent.is_dir()
        else "permission denied"
        if not os.access(path if path.exists() else path.parent, os.W_OK)
        else None
    )
    if reason:
        raise UserError(f"{option}: cannot write {path}: {reason}")


def write_report(option: str, path: Path, text: str) -> None:
    """Write a report to the file that the option names."""
    try:
        # Not replaced but written to: the path may be a device or a pipe.
        with path.open("w", encoding="utf-8", errors="backslashreplace") as file:
            file.write(text)
    except OSError as error:
        raise UserError(f"{option}: cannot write {path}: {error.strerror or error}") from error
