"""What can go wrong: a mistake of the user, a file that cannot be used, a fault of pipelint or of a rule."""

from __future__ import annotations

from pathlib import Path


class UserError(Exception):
    """What is wrong, where, and what to do about it, in one line: printed without a traceback, exit status 2."""


class FileError(Exception):
    """Why a file, or one cell of a notebook, cannot be read, parsed or written; said in one line."""

    def __init__(
        self,
        message: str,
        *,
        line: int | None = None,
        cell: int | None = None,
        path: Path | None = None,
        passing: bool = False,
    ) -> None:
        """`passing` is what another run on the same content may not meet."""
        super().__init__(message)
        self.passing = passing
        self.message = message
        self.line = line
        self.cell = cell
        self.path = path


def from_os_error(error: OSError, doing: str, path: Path) -> FileError:
    """The same, for what the operating system refused: `cannot be read: Permission denied`."""
    return FileError(f"cannot be {doing}: {error.strerror or error}", path=path, passing=True)


def internal_error(what: str, error: BaseException, path: Path, origin: str = "") -> FileError:
    """A fault of pipelint, or of a rule that comes from elsewhere, in one line with the place that a report needs."""
    import traceback  # slow to load, and nothing fails as a rule

    frame = traceback.extract_tb(error.__traceback__)[-1]
    reason = " ".join(f"{type(error).__name__}: {error}".split())
    where = f"{Path(frame.filename).name}:{frame.lineno}"
    if origin:
        message = f"{what}, from {origin}, fails: {reason} ({where}); please tell its author"
    else:
        message = f"internal error in {what}: {reason} ({where}); please report it"
    return FileError(message, path=path, passing=True)
