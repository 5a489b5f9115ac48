"""The lines of Python source, counted as the compiler counts them, and positions in them."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from functools import cached_property, total_ordering

# The compiler's line ends. str.splitlines also splits at form feeds and Unicode separators.
NEWLINE = re.compile(r"\r\n|\r|\n")


@total_ordering
@dataclass(frozen=True)
class Position:
    """A position as people count it: line and column from 1, the column in code points."""

    line: int
    column: int
    cell: int | None = None

    def __lt__(self, other: Position) -> bool:
        return (self.cell or 0, self.line, self.column) < (other.cell or 0, other.line, other.column)


class Lines:
    """Where the lines of a text begin, and positions as `ast` and as people give them."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._bytes_of_line: dict[int, bytes] = {}

    @cached_property
    def starts(self) -> list[int]:
        """The offset at which each line begins; a text that ends in a newline has an empty last line."""
        return [0, *(match.end() for match in NEWLINE.finditer(self.text))]

    @cached_property
    def _is_ascii(self) -> bool:
        return self.text.isascii()

    def __len__(self) -> int:
        return len(self.starts)

    def start(self, line: int) -> int:
        """The offset of the first character of a line, counted from 1."""
        return self.starts[line - 1]

    def end(self, line: int) -> int:
        """The offset just after the last character of a line, its newline left out."""
        if line == len(self.starts):
            return len(self.text)
        end = self.starts[line] - 1
        return end - 1 if self.text[end] == "\n" and end > self.starts[line - 1] and self.text[end - 1] == "\r" else end

    def number(self, offset: int) -> int:
        """The line, counted from 1, that holds an offset."""
        return bisect_right(self.starts, offset)

    def offset(self, line: int, utf8_column: int) -> int:
        """The offset of an `ast` position: line from 1, column from 0 in bytes of UTF-8."""
        start = self.starts[line - 1]
        if self._is_ascii:
            return start + utf8_column
        encoded = self._bytes_of_line.get(line)
        if encoded is None:
            encoded = self.text[start : self.end(line)].encode("utf-8", "surrogatepass")
            self._bytes_of_line[line] = encoded
        return start + len(encoded[:utf8_column].decode("utf-8", "ignore"))


def first_newline(text: str) -> str:
    """The newline that a text uses, by its first one."""
    found = NEWLINE.search(text)
    return found.group() if found else "\n"
