"""Paths as the user wrote them, made absolute without following links."""

from __future__ import annotations

import os
import re
from pathlib import Path

from pipelint.model.locations import Place

NOTEBOOK = ".ipynb"
_INPUT = re.compile(r"<(?P<input>In\[\d+\])>")
_CELL = re.compile(rf"(?P<path>.*{re.escape(NOTEBOOK)}):cell (?P<cell>\d+)", re.DOTALL)


def absolute(path: Path) -> Path:
    """The path from the root of the file system, with `..` taken out and links left in."""
    spelled = os.path.abspath(path)
    return path if spelled == str(path) else Path(spelled)


def relative(path: Path, root: Path) -> str | None:
    """A path relative to a directory above it, with slashes; None outside of it and for the directory itself."""
    try:
        below = absolute(path).relative_to(absolute(root))
    except ValueError:
        return None
    return below.as_posix() if below.parts else None


def leads_out(path: Path, root: Path) -> bool:
    """Whether a path, by its own words or by a link on its way, ends outside of a directory."""
    return not Path(os.path.realpath(path)).is_relative_to(os.path.realpath(root))


def place_of(file: Path) -> Path:
    """The path without links to directories, which depend on the way that one came; a link to a file is kept."""
    return Path(os.path.realpath(file.parent)) / file.name


def spelled_below(root: Path, path: Path) -> Path | None:
    """A path without links as it is spelled from a directory that may be reached by one; None outside of it."""
    real = Path(os.path.realpath(root))
    return root / path.relative_to(real) if path.is_relative_to(real) else None


def shown_path(path: Path) -> str:
    """The path as reports give it: relative to the working directory, or absolute outside of it."""
    return relative(path, Path.cwd()) or absolute(path).as_posix()


def shown_file(name: str) -> str:
    """The same for the file of a program that ran; what is no file, such as an input of IPython, keeps its name."""
    if found := _INPUT.fullmatch(name):
        return found["input"]
    return name if name.startswith("<") else shown_path(Path(name))


def shown_place(place: Place | None) -> str:
    """`train.py:31`."""
    return f"{shown_file(place.path)}:{place.line}" if place else "an unknown place"


def at(place: Place | None) -> str:
    """` at train.py:31`, to follow what stands there; nothing where no place is known, as for what was typed in."""
    return f" at {shown_place(place)}" if place else ""


def cell_name(path: Path, cell: int | None) -> str:
    """The name under which Python runs a cell of a notebook, as reports show it."""
    return f"{path}:cell {cell}"


def split_cell(name: str) -> tuple[str, int | None]:
    """The notebook and the number of the cell that a name stands for; any other file has no cell."""
    found = _CELL.fullmatch(name)
    return (found["path"], int(found["cell"])) if found else (name, None)
