"""Markdown for a comment on GitHub: its size, its marks, and text that Markdown and GitHub do not act upon."""

from __future__ import annotations

import re

from pipelint.model.grades import Severity
from pipelint.report.page.foreign_text import escaped, pieces, shortened

MOST_CHARACTERS = 65_536
"""What GitHub takes as the body of a pull request or of a comment."""

MARKS = {Severity.ERROR: "🔴", Severity.WARNING: "🟡", Severity.ADVICE: "🔵"}
"""What stands for a severity where Markdown has no colours, the worst first."""

_LONGEST_MESSAGE = 600
_LONGEST_PATH = 240

# What Markdown and GitHub act upon, and how it is written so that they do not. A character reference would not keep
# GitHub from seeing a mention, which it looks for in the finished page: an invisible space does.
_SPECIAL = re.compile(r"[\\`*\[\]<>&|~]|(?<![^\W_])_|_(?![^\W_])|[@#](?=\w)|\$|://|(?i:\bwww\.|\bgh-(?=\d))")
_BREAK = "&#8203;"


def size(text: str) -> int:
    """An upper bound of what any counting gives: UTF-16 units, line ends as two."""
    return len(text.encode("utf-16-le")) // 2 + text.count("\n")


def short_path(path: str) -> str:
    """The path with its end, which tells most, where it is too long."""
    return path if len(path) <= _LONGEST_PATH else "…" + path[1 - _LONGEST_PATH :]


def prose(message: str) -> str:
    """A message on one line, its code as code, and nothing else in it that Markdown or GitHub would act upon."""
    text = shortened(" ".join(message.split()), _LONGEST_MESSAGE)
    return "".join(code(piece) if is_code else _plain(piece) for is_code, piece in pieces(text))


def _plain(text: str) -> str:
    return _SPECIAL.sub(_harmless, escaped(text))


def _harmless(match: re.Match[str]) -> str:
    found = match.group()
    if found == "$":
        return "<span>$</span>"
    if len(found) > 1:
        return f"{found[0]}{_BREAK}{found[1:]}"
    return f"{found}{_BREAK}" if found in "@#" else f"&#{ord(found)};"


def code(text: str) -> str:
    """The text as code, between backticks where none of it gets in their way."""
    text = escaped(text)
    if not re.search(r"[`|\\]|^\s|\s$", text):
        return f"`{text}`"
    return "<code>" + re.sub(r"[^\w\s]", lambda match: f"&#{ord(match.group())};", text) + "</code>"
