"""The encoding of Python source: from bytes to text and back."""

from __future__ import annotations

import codecs
import re
from tokenize import detect_encoding

from pipelint.source.errors import FileError
from pipelint.source.lines import Lines


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


def as_file(text: str) -> bytes:
    """The bytes that a file with this text has, by the encoding that the text itself names; else UTF-8."""
    data = text.encode("utf-8", "surrogatepass")
    try:
        return encode(text, decode(data)[1])
    except FileError:
        return data
