"""What can go wrong through no fault of pipelint: a mistake of the user, and a file that cannot be used."""

from __future__ import annotations

from pathlib import Path


class UserError(Exception):
    """What is wrong, where, and what to do about it, in one line: printed without a traceback, exit status 2."""


class FileError(Exception):
    """Why a file, or one cell of a notebook, cannot be read, parsed or written; said in one line."""

    def __init__(
        self, message: str, *, line: int | None = None, cell: int | None = None, path: Path | None = None
    ) -> None:
        super().__init__(message)
        self.message = message
        self.line = line
        self.cell = cell
        self.path = path

    def __reduce__(self) -> tuple[object, ...]:
        # What makes two of them equal; a copy keeps the keyword-only arguments.
        return _rebuild, (self.message, self.line, self.cell, self.path)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, FileError) and self.__reduce__() == other.__reduce__()

    def __hash__(self) -> int:
        return hash(self.__reduce__())


def _rebuild(message: str, line: int | None, cell: int | None, path: Path | None) -> FileError:
    return FileError(message, line=line, cell=cell, path=path)


def from_os_error(error: OSError, doing: str, path: Path) -> FileError:
    """The same, for what the operating system refused: `cannot be read: Permission denied`."""
    return FileError(f"cannot be {doing}: {error.strerror or error}", path=path)


def internal_error(what: str, error: Exception, path: Path) -> FileError:
    """A fault of pipelint or of a rule pack, told in one line with the place that a report needs."""
    import traceback

    frame = traceback.extract_tb(error.__traceback__)[-1]
    reason = " ".join(f"{type(error).__name__}: {error}".split())
    where = f"{Path(frame.filename).name}:{frame.lineno}"
    return FileError(f"internal error in {what}: {reason} ({where}); please report it", path=path)
