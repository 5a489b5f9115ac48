"""Paths as the user wrote them, made absolute without following links."""

from __future__ import annotations

import os
from pathlib import Path


def absolute(path: Path) -> Path:
    """The path from the root of the file system, with `..` taken out and links left in."""
    return Path(os.path.normpath(path.absolute()))


def relative(path: Path, root: Path) -> str | None:
    """A path relative to a directory above it, with slashes; None outside of it and for the directory itself."""
    try:
        below = absolute(path).relative_to(absolute(root))
    except ValueError:
        return None
    return below.as_posix() if below.parts else None


def shown_path(path: Path) -> str:
    """The path as reports give it: relative to the working directory, or absolute outside of it."""
    return relative(path, Path.cwd()) or absolute(path).as_posix()
