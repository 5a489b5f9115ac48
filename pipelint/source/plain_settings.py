"""Reads the plainest part of YAML and JSON: settings under keys, nested by indentation."""

from __future__ import annotations

import re

_LINE = re.compile(r"""( *)("[^"]*"|'[^']*'|[\w.-]+) *:(?: +(.*))?$""")
_COMMENT = re.compile(r"(^|\s)#.*")
_QUOTED = re.compile(r"""(?:"([^"\\]*)"|'([^']*)')""")
_INTEGER = re.compile(r"[-+]?(0|[1-9][0-9]*)")
_FLOAT = re.compile(r"[-+]?[0-9]+\.[0-9]*(e[-+][0-9]+)?", re.IGNORECASE)
_PLAIN = re.compile(r"[A-Za-z./][\w./-]*( [\w./-]+)*")
_CONSTANTS = {"true": True, "True": True, "false": False, "False": False}
_OTHER_WORDS = frozenset({"yes", "no", "on", "off", "null", "none", "~"})
"""What a string seems to be and is none, or not to every reader."""
Settings = dict[str, object]
LONGEST = 50_000
"""How many characters settings have at most: longer files are data."""


def read_settings(text: str, *, is_json: bool) -> Settings | None:
    """The settings of a file, None for those that need a real parser, and where nothing is sure to be read right."""
    if len(text) > LONGEST:
        return None
    if not is_json:
        return _read_yaml(text)
    import json  # few programs read settings from it

    try:
        read = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return read if isinstance(read, dict) else None


def _read_yaml(text: str) -> Settings | None:
    settings: Settings = {}
    levels: list[tuple[int, Settings]] = [(0, settings)]
    opened: Settings | None = None
    deeper_is_skipped: int | None = None
    for line in text.removeprefix("---\n").splitlines():
        written = without_comment(line)
        indent = len(written) - len(written.lstrip(" "))
        if not written or (deeper_is_skipped is not None and indent > deeper_is_skipped):
            continue
        deeper_is_skipped = None
        if written[indent] == "-" and written[indent : indent + 2].strip() == "-":
            # The items of a list.
            deeper_is_skipped = indent
            continue
        match = _LINE.fullmatch(written)
        if match is None:
            return None
        if opened is not None and indent > levels[-1][0]:
            levels.append((indent, opened))
        while indent < levels[-1][0]:
            levels.pop()
        if indent != levels[-1][0]:
            return None
        key, value = match[2].strip("\"'"), match[3]
        opened = None
        if not value:
            opened = {}
            levels[-1][1][key] = opened
        else:
            constant = levels[-1][1][key] = _constant(value)
            deeper_is_skipped = indent if constant is None else None
    return settings


def without_comment(line: str) -> str:
    """A line without the comment and the spaces at its end."""
    return _COMMENT.sub("", line).rstrip()


def _constant(value: str) -> object:
    """What a scalar stands for, None for one that only a real parser can tell."""
    if value in _CONSTANTS:
        return _CONSTANTS[value]
    if _INTEGER.fullmatch(value):
        return int(value)
    if _FLOAT.fullmatch(value):
        return float(value)
    quoted = _QUOTED.fullmatch(value)
    if quoted is not None:
        return quoted[1] if quoted[1] is not None else quoted[2]
    return value if _PLAIN.fullmatch(value) and value.lower() not in _OTHER_WORDS else None
