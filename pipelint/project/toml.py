"""TOML, and which line of it is at fault."""

from __future__ import annotations

import re
import sys
from importlib import import_module
from typing import Any


class TomlError(ValueError):
    """Text that is not TOML: what is wrong and, where known, in which line."""

    def __init__(self, message: str, line: int | None) -> None:
        super().__init__(message)
        self.message = message
        self.line = line


def parse(text: str) -> dict[str, Any]:
    """The document as a dictionary; raises TomlError."""
    # By name, since the one or the other is missing wherever types are checked.
    tomllib: Any = import_module("tomllib" if sys.version_info >= (3, 11) else "tomli")
    try:
        document: dict[str, Any] = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        message = str(error)
        at_line = re.compile(r"\(at line (\d+), column \d+\)|\(at end of document\)")
        found = at_line.search(message)
        line = int(found[1]) if found and found[1] else text.rstrip().count("\n") + 1
        raise TomlError(at_line.sub("", message).strip(), line) from error
    except RecursionError as error:
        raise TomlError("nested too deeply", None) from error
    except ValueError as error:  # such as an integer of more than 4,300 digits
        raise TomlError(str(error).partition(";")[0], None) from error
    return document
