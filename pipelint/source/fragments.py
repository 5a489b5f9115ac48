"""Whether a cell of a notebook is Python, and what one that is not is: broken, or never meant to run as such."""

from __future__ import annotations

import ast
import re
import warnings
from keyword import iskeyword

from pipelint.source.lines import NEWLINE

# What Python says of a part of a program: brackets, strings and lines that begin or end elsewhere.
_PART = re.compile(r"never closed|unmatched|does not match|unterminated|unexpected EOF|line continuation")
_NOTHING_ASSIGNED = re.compile(r"=[ \t]*(?:#.*|[),\]}].*)?$")
_NO_VALUE_OF_KEY = re.compile(r"""[ \t]*(["'])[^"']*\1[ \t]*:[ \t]*(?:#.*|[,}].*)?$""")
_OPERAND_MISSING = re.compile(r"(?:[-+*/%|&^>.]|\b(?:and|or|not|in|is|if|else|return|lambda))[ \t]*(?:#.*)?$")
_ELLIPSIS = re.compile(r"\.\.|…")
_NO_PYTHON = tuple("$?!`<")
_LETTERS_OF_WORDS = re.compile(r"[\w./:-]+")
_WORD = re.compile(r"[\w'\"-]")


def syntax_error(text: str) -> Exception | None:
    """Why a text is no Python; None if it is."""
    with warnings.catch_warnings():
        # Invalid escapes in the user's strings are not our business.
        warnings.simplefilter("ignore")
        try:
            # One newline, no more: a cell that ends in a backslash must fail, not swallow the next cell's first line.
            ast.parse(f"{text}\n")
        except (SyntaxError, RecursionError, MemoryError, ValueError) as error:
            return error
    return None


def is_fragment(error: SyntaxError, text: str) -> bool:
    """Whether a cell is a part of a program, has places left to fill in, or is in another language.

    Python's complaint tells where it stopped; what stands there decides.
    """
    if isinstance(error, IndentationError) or _PART.search(error.msg):
        return True
    lines = NEWLINE.split(text)
    if error.lineno is None or not 1 <= error.lineno <= len(lines):
        return False
    line, column = lines[error.lineno - 1], max((error.offset or 1) - 1, 0)
    before, after = line[:column], line[column:]
    # Inside brackets Python goes on to a later line before it gives up.
    so_far = lines[: error.lineno]
    if any(map(_NOTHING_ASSIGNED.search, so_far)) or any(map(_NO_VALUE_OF_KEY.match, so_far)):
        return True
    if _OPERAND_MISSING.search(line):
        return True
    if _ELLIPSIS.search(line) or after.startswith(_NO_PYTHON):
        return True
    # `gcloud storage ls`, `SELECT name`, prose: words side by side.
    word = _last_word(before)
    return word is not None and not iskeyword(word) and _WORD.match(after) is not None


def _last_word(text: str) -> str | None:
    """The word at the end of a text, where white space follows it."""
    trimmed = text.rstrip(" \t")
    # From behind, where it is found at once; a search would begin at each of its letters.
    found = _LETTERS_OF_WORDS.match(trimmed[::-1])
    return found.group()[::-1] if found and trimmed != text else None
