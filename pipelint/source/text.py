"""Lines and encodings of Python source, counted as the compiler counts them."""

from __future__ import annotations

import codecs
import re
from bisect import bisect_right
from functools import cached_property
from tokenize import detect_encoding

from pipelint.source.errors import FileError

# The compiler's line ends. str.splitlines also splits at form feeds and Unicode separators.
NEWLINE = re.compile(r"\r\n|\r|\n")


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


def decode(data: bytes) -> tuple[str, str]:
    """The text of a Python file and the name of its encoding, by byte order mark or PEP 263 comment."""
    # detect_encoding ends lines at \n alone and would look for the comment far down a file that uses \r.
    head = iter(re.split(rb"\r\n|\r|\n", data, maxsplit=2)[:2])
    try:
        encoding, _ = detect_encoding(lambda: next(head) + b"\n")
    except SyntaxError as error:
        if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
            raise FileError("is not Python source: it is encoded as UTF-16", line=1) from error
        # Bytes that are no UTF-8 are told with their place below.
        if "invalid or missing encoding" not in str(error):
            raise FileError(f"cannot be decoded: {error}", line=1) from error
        encoding = "utf-8"
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as error:
        line = len(re.findall(rb"\r\n|\r|\n", data[: error.start])) + 1
        raise FileError(f"byte 0x{data[error.start]:02x} is not valid {encoding} text", line=line) from error
    except (LookupError, UnicodeError) as error:
        raise FileError(f"cannot be decoded as {encoding}", line=1) from error
    if "\0" in text:
        raise FileError("is not Python source: it contains a NUL byte", line=Lines(text).number(text.index("\0")))
    return text, encoding


def encode(text: str, encoding: str) -> bytes:
    """The bytes of a Python file; the inverse of `decode`."""
    try:
        return text.encode(encoding)
    except UnicodeError as error:
        raise FileError(f"the change cannot be written as {encoding}") from error
