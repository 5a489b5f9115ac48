"""Puts new content in the place of a file, whole or not at all, and only where that makes nothing else worse."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from pipelint.source.errors import FileError, from_os_error
from pipelint.source.paths import absolute

_TEMPORARY = re.compile(r"\..+\.pipelint-[0-9a-f]{16}\.tmp")
_LONGEST_NAME = 100
"""Of the name of a file, so much is in that of its temporary one: file systems allow 255 bytes."""

_MOST_ATTEMPTS = 20


def write(path: Path, data: bytes, *, read: bytes | None = None, root: Path | None = None) -> None:
    """Replace a file's content at once, or create the file; owner, mode and extended attributes stay. Raises FileError.

    With `read`, only if that is still its content. A link's target is written, with `root` only if the link does not
    lead out of that directory, or of the repository around the file.
    """
    real = path.resolve()
    if root is not None and not _stays_inside(path, real, root):
        raise FileError(f"is a link out of the project, to {real}, and is not rewritten", path=path)
    try:
        sweep(real.parent)
        old = real.stat() if real.exists() else None
        if old is not None:
            _require_replaceable(path, real, old)
        with _temporary(real, data, 0o666 if old is None else 0o600) as temporary:
            if old is not None:
                _keep_attributes(path, real, old, temporary)
            if read is not None and real.read_bytes() != read:
                raise FileError("has changed since it was read, and is left as it is; run pipelint again", path=path)
            temporary.replace(real)
    except OSError as error:
        raise from_os_error(error, "written", path) from error


def sweep(directory: Path) -> None:
    """Take away the temporary files of runs that were killed; those of runs at work are locked."""
    with suppress(OSError):
        for name in os.listdir(directory):
            if name.endswith(".tmp") and _TEMPORARY.fullmatch(name):
                _remove_unlocked(directory / name)


def _remove_unlocked(path: Path) -> None:
    with suppress(OSError):
        handle = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
        try:
            if stat.S_ISREG(os.fstat(handle).st_mode):
                _lock(handle)
                path.unlink()
        finally:
            os.close(handle)


def _lock(handle: int) -> None:
    """Hold a file until it is closed or the process ends; raises OSError if another one holds it."""
    try:
        import fcntl
    except ImportError:  # On Windows a file that is open cannot be removed anyway.
        return
    fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)


@contextmanager
def _temporary(real: Path, data: bytes, mode: int) -> Iterator[Path]:
    """A new file beside another one, locked, which is gone afterwards unless it has taken the other's place."""
    path, file = _locked(real, mode)
    with file:
        try:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
            if os.name == "nt":  # There an open file cannot take the place of another.
                file.close()
            yield path
        finally:
            path.unlink(missing_ok=True)


def _locked(real: Path, mode: int) -> tuple[Path, BinaryIO]:
    for _ in range(_MOST_ATTEMPTS):
        path = real.parent / f".{real.name[:_LONGEST_NAME]}.pipelint-{os.urandom(8).hex()}.tmp"
        file = open(path, "xb", opener=lambda name, flags: os.open(name, flags, mode))  # noqa: SIM115 - it is returned
        # Another process may be quicker, and take it away, or have done so, for one that nobody holds.
        with suppress(BlockingIOError):
            _lock(file.fileno())
            if os.fstat(file.fileno()).st_nlink:
                return path, file
        file.close()
    raise FileError("cannot be written: its temporary files are taken away", path=real)


def _stays_inside(path: Path, real: Path, root: Path) -> bool:
    """Whether a path leads to a file of the project that it is in; one outside of every project, to its directory."""
    here = absolute(path)
    repository = next((directory for directory in here.parents if (directory / ".git").exists()), root)
    around = [directory for directory in (absolute(root), repository) if here.is_relative_to(directory)]
    return any(real.is_relative_to(directory.resolve()) for directory in around or [here.parent])


def _require_replaceable(path: Path, real: Path, old: os.stat_result) -> None:
    if not old.st_mode & stat.S_IWUSR or not os.access(real, os.W_OK):
        raise FileError("is read-only, and is not rewritten", path=path)
    if old.st_nlink > 1:
        # Its other names may be those of a backup or of another project: neither can we see them, nor cut them off.
        message = f"is one file under {old.st_nlink} names (hard links), and is not rewritten; copy it to have it fixed"
        raise FileError(message, path=path)


def _keep_attributes(path: Path, real: Path, old: os.stat_result, temporary: Path) -> None:
    new = temporary.stat()
    if hasattr(os, "chown") and (new.st_uid, new.st_gid) != (old.st_uid, old.st_gid):
        try:
            os.chown(temporary, old.st_uid, old.st_gid)
        except OSError as error:
            raise FileError("belongs to another user or group, and is not rewritten", path=path) from error
    temporary.chmod(stat.S_IMODE(old.st_mode))
    if hasattr(os, "listxattr"):
        for name in os.listxattr(real):
            with suppress(OSError):  # Some are for the system alone to set.
                os.setxattr(temporary, name, os.getxattr(real, name))
