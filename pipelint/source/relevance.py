"""Whether a file can be of any concern to a rule, by a search for words: far cheaper than following the program."""

from __future__ import annotations

import re
from collections.abc import Iterable

_WORDS = ("tensorflow", "keras")
"""Without one of these words a program has nothing that a rule could be about."""
_ALIAS = re.compile(r"(?<![\w.])(?P<name>[\w.]+)[ \t]+as[ \t]+(?P<alias>\w+)")
_BEGINS_A_NAME = re.compile(rf"\b(?:{'|'.join(_WORDS)})")
_IDENTIFIER = re.compile(r"\w+")


def may_matter(text: str) -> bool:
    """Whether any rule could find something in a program."""
    return any(word in text for word in _WORDS)


def bytes_may_matter(data: bytes) -> bool:
    """The same of bytes that are no text, or no notebook."""
    # UTF-16 has a NUL beside each of these letters.
    return may_matter(data.replace(b"\0", b"").decode("latin-1"))


class Mentions:
    """How the cells of one notebook speak of TensorFlow: by its name, or by one that they import it under."""

    def __init__(self, sources: Iterable[str]) -> None:
        named = (found for source in sources for found in _ALIAS.finditer(source))
        self._aliases = {found["alias"] for found in named if _BEGINS_A_NAME.search(found["name"])}

    def in_cell(self, source: str) -> bool:
        """Whether a cell has such a word."""
        return may_matter(source) or not self._aliases.isdisjoint(_IDENTIFIER.findall(source))
