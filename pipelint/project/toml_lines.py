"""The lines of the keys of a TOML document, which no parser tells."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pipelint.project.toml import parse

_PART = r"""(?:[A-Za-z0-9_-]+|"(?:\\.|[^"\\])*"|'[^']*')"""
_KEY = rf"{_PART}(?:[ \t]*\.[ \t]*{_PART})*"
_HEADER = re.compile(rf"[ \t]*\[\[?[ \t]*(?P<key>{_KEY})[ \t]*\]")
_ASSIGNMENT = re.compile(rf"[ \t]*(?P<key>{_KEY})[ \t]*=")
# Strings of one line and comments are in it because they may hold the quotes of a long one.
_STRING_OR_COMMENT = re.compile(
    r"""(?P<long>\"{3}(?:\\.|[^\\])*?(?:\"{3}|\Z)|'{3}.*?(?:'{3}|\Z))"""
    r"""|"(?:\\[^\n]|[^"\\\n])*"?|'[^'\n]*'?|#[^\n]*""",
    re.DOTALL,
)


def line_of(text: str, path: Sequence[str]) -> int | None:
    """The line of a key given by its full path, or of the nearest table or inline table that holds it."""
    wanted = tuple(path)
    table: tuple[str, ...] = ()
    best, best_line = 0, None
    blanked = _STRING_OR_COMMENT.sub(
        lambda found: "\n" * found["long"].count("\n") if found["long"] else found.group(), text
    )
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
    return tuple(next(iter(parse(f"{part} = 0"))) for part in re.findall(_PART, key))
