"""TOML with the line of each key, which the standard parser does not tell."""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Any

# By name, since the one or the other is missing wherever types are checked.
tomllib: Any = import_module("tomllib" if sys.version_info >= (3, 11) else "tomli")

_PART = r"""(?:[A-Za-z0-9_-]+|"(?:\\.|[^"\\])*"|'[^']*')"""
_KEY = rf"{_PART}(?:[ \t]*\.[ \t]*{_PART})*"
_HEADER = re.compile(rf"[ \t]*\[\[?[ \t]*(?P<key>{_KEY})[ \t]*\]")
_ASSIGNMENT = re.compile(rf"[ \t]*(?P<key>{_KEY})[ \t]*=")
_LONG_STRING = re.compile(r'"""(?:\\.|[^\\])*?"""|\'\'\'.*?\'\'\'', re.DOTALL)
_AT_LINE = re.compile(r"\(at line (\d+), column \d+\)|\(at end of document\)")


class TomlError(ValueError):
    """Text that is not TOML: what is wrong and, where known, in which line."""

    def __init__(self, message: str, line: int | None) -> None:
        super().__init__(message)
        self.message = message
        self.line = line


def parse(text: str) -> dict[str, Any]:
    """The document as a dictionary; raises TomlError."""
    try:
        document: dict[str, Any] = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        message = str(error)
        found = _AT_LINE.search(message)
        line = int(found[1]) if found and found[1] else text.rstrip().count("\n") + 1
        raise TomlError(_AT_LINE.sub("", message).strip(), line) from error
    except RecursionError as error:
        raise TomlError("nested too deeply", None) from error
    return document


def line_of(text: str, path: Sequence[str]) -> int | None:
    """The line of a key given by its full path, or of the nearest table or inline table that holds it."""
    wanted = tuple(path)
    table: tuple[str, ...] = ()
    best, best_line = 0, None
    blanked = _LONG_STRING.sub(lambda string: "\n" * string.group().count("\n"), text)
    for number, line in enumerate(blanked.split("\n"), 1):
        if header := _HEADER.match(line):
            table = key = _parts(header["key"])
        elif assignment := _ASSIGNMENT.match(line):
            key = table + _parts(assignment["key"])
        else:
            continue
        shared = min(len(key), len(wanted))
        if shared > best and wanted[:shared] == key[:shared]:
            best, best_line = shared, number
    return best_line


def _parts(key: str) -> tuple[str, ...]:
    return tuple(next(iter(tomllib.loads(f"{part} = 0"))) for part in re.findall(_PART, key))
