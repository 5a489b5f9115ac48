"""The Pythons that a project admits, read from its settings without running anything."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from pipelint.model.tensorflow_version import Version
from pipelint.project import toml
from pipelint.source.constraints import upper_bound
from pipelint.source.regular_files import read_settings_text

_IN_SETUP_CFG = re.compile(r"^python_requires[ \t]*=[ \t]*(.*)$", re.MULTILINE)


def newest_admitted(directory: Path) -> Version | None:
    """The newest Python, as major and minor, that the settings in a directory admit; None where they set no end.

    Raises FileError for a file that is none, or too large.
    """
    bounds = [upper_bound(constraint) for constraint in _constraints(directory)]
    return max((bound for bound in bounds if bound is not None), default=None) if None not in bounds else None


def _constraints(directory: Path) -> Iterator[str]:
    yield from _from_pyproject(read_settings_text(directory / "pyproject.toml") or "")
    yield from _IN_SETUP_CFG.findall(read_settings_text(directory / "setup.cfg") or "")
    yield from _from_setup_py(read_settings_text(directory / "setup.py") or "")


def _from_pyproject(text: str) -> Iterator[str]:
    if "python" not in text:
        return
    try:
        document = toml.parse(text)
    except toml.TomlError:
        return
    match document:
        case {"project": {"requires-python": str(constraint)}}:
            yield constraint
        case {"tool": {"poetry": {"dependencies": {"python": str(constraint)}}}}:
            yield constraint


def _from_setup_py(text: str) -> Iterator[str]:
    if "python_requires" not in text:
        return
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    for node in ast.walk(tree):
        match node:
            case ast.keyword(arg="python_requires", value=ast.Constant(value=str(constraint))):
                yield constraint
