"""Reads files whose size is stated, and nothing that is no file: a pipe or a device may never end."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path

from pipelint.source.errors import FileError

LARGEST_SETTINGS = 1_000_000
"""How many bytes a configuration, a list of requirements or of patterns may have: people write them."""
LARGEST_SCRIPT = 5_000_000
"""The same for Python: to parse more takes gigabytes, and what is larger was generated."""
LARGEST_NOTEBOOK = 50_000_000
"""The same for notebooks, whose outputs hold pictures."""


class TooLarge(FileError):  # noqa: N818 - it says what happened
    """A file that is larger than any of its kind that is read; `head` is what stands at its beginning."""

    def __init__(self, path: Path, most: int, head: bytes) -> None:
        super().__init__(f"is larger than {most // 1_000_000} MB, which is not read", path=path)
        self.head = head


def read_regular(path: Path, most: int) -> bytes:
    """The content of a regular file, or of one that a link leads to; raises FileError, and OSError as `open` does."""
    mode = path.stat().st_mode
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    if not stat.S_ISREG(mode):
        raise FileError("is not a regular file", path=path)
    # What has become a pipe since is opened without waiting for its other end, and is found out below.
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    with os.fdopen(handle, "rb") as file:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise FileError("is not a regular file", path=path)
        data = file.read(most + 1)
    if len(data) > most:
        raise TooLarge(path, most, data)
    return data


def read_settings_text(path: Path) -> str | None:
    """The text of a file that people write settings in; None if there is none to be read. Raises FileError."""
    try:
        return read_regular(path, LARGEST_SETTINGS).decode("utf-8-sig", "replace")
    except OSError:
        return None
