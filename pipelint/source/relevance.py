"""Whether a file can be of any concern to a rule, by a search for words: far cheaper than following the program."""

from __future__ import annotations

import re
from collections.abc import Iterable

_WORDS = ("tensorflow", "keras")
"""Without one of these words a program has nothing that a rule could be about."""
_ALIAS = re.compile(rf"\b(?:{'|'.join(_WORDS)})[\w.]*[ \t]+as[ \t]+(\w+)")


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
        aliases = {alias for source in sources for alias in _ALIAS.findall(source)}
        self._alias = re.compile(rf"\b(?:{'|'.join(aliases)})\b") if aliases else None

    def in_cell(self, source: str) -> bool:
        """Whether a cell has such a word."""
        return may_matter(source) or bool(self._alias and self._alias.search(source))
