"""What may be shown on a terminal: colours where they are wanted, and nothing that the terminal would obey."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from typing import IO, Any

import click

# Control characters, line separators, marks that turn the reading direction, and halves of surrogate pairs.
_UNSAFE = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
_CONTROL_PICTURES = 0x2400
_NARROWEST = 20
"""In columns: text in less room is harder to read than what the terminal itself breaks."""
_DELETE = 0x7F


class Palette:
    """Styles text for a terminal, or leaves it plain."""

    def __init__(self, on: bool = False) -> None:
        self._on = on

    def __call__(self, text: str, color: str | None = None, *, bold: bool = False) -> str:
        """The text in a colour."""
        return click.style(text, fg=color, bold=bold or None) if self._on else text


def wants_color(choice: str, stream: IO[Any], environment: Mapping[str, str] = os.environ) -> bool:
    """Whether to write colours: as asked, else by NO_COLOR and FORCE_COLOR, else where a person reads along."""
    if choice != "auto":
        return choice == "always"
    if environment.get("NO_COLOR"):
        return False
    if environment.get("FORCE_COLOR", "0") not in ("", "0"):
        return True
    return stream.isatty() and environment.get("TERM") != "dumb"


def width_of(stream: IO[Any], environment: Mapping[str, str] = os.environ) -> int | None:
    """How many columns a terminal has; None for a stream that is none."""
    if not stream.isatty():
        return None
    if environment.get("COLUMNS", "").isdecimal():
        return int(environment["COLUMNS"])
    try:
        return os.get_terminal_size(stream.fileno()).columns or None
    except OSError:
        return None


def visible(text: str) -> str:
    """The text with every character that could steer a terminal replaced by a harmless one of the same number."""
    return _UNSAFE.sub(_picture, text)


def one_line(text: str) -> str:
    """The text on a single line, safe to show."""
    return visible(" ".join(text.split()))


def columns(text: str) -> int:
    """How many columns of a terminal a text takes, its colours none."""
    plain = click.unstyle(text)
    if plain.isascii():
        return len(plain)
    from rich.cells import cell_len  # slow to load, and plain text takes a column each

    return cell_len(plain)


def wrapped(text: str, width: int | None, indent: int) -> str:
    """The text in lines of at most so many columns, all but the first indented; as it is without a width.

    A word that is longer than a line stays whole: it may be a path to be clicked on.
    """
    if width is None or width - indent < _NARROWEST or columns(text) <= width:
        return text
    beginning = text[: len(text) - len(text.lstrip(" "))]
    lines, line, used = [], beginning, len(beginning)
    for word in text[len(beginning) :].split(" "):
        length = columns(word)
        if used + length > width and line.strip():
            lines.append(line.rstrip(" "))
            line, used = " " * indent, indent
        line += f"{word} "
        used += length + 1
    return "\n".join([*lines, line.rstrip(" ")])


def _picture(match: re.Match[str]) -> str:
    character = ord(match.group())
    if character < ord(" "):
        return chr(_CONTROL_PICTURES + character)
    return "\N{SYMBOL FOR DELETE}" if character == _DELETE else "\N{REPLACEMENT CHARACTER}"
