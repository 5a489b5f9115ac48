"""One file: its bytes, the Python programs in it, and the way back from edits to bytes."""

from __future__ import annotations

import ast
import os
import stat
import tempfile
import warnings
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from pathlib import Path

from pipelint.model.locations import Region
from pipelint.model.repair import Edit
from pipelint.source import text as source_text
from pipelint.source.edits import apply, ordered
from pipelint.source.errors import FileError, from_os_error
from pipelint.source.magics import Translation, automagic, translate
from pipelint.source.notebook import Cell, Notebook
from pipelint.source.unit import Place, Segment, Unit, join, single

__all__ = ["Document", "FileError", "Place", "Unit", "load", "write"]


class Document(ABC):
    """A file and its units; `with_edits` gives the bytes after edits, with every other byte kept."""

    path: Path
    units: tuple[Unit, ...]
    errors: tuple[FileError, ...]

    def __init__(self, path: Path, data: bytes, units: Sequence[Unit], errors: Sequence[FileError] = ()) -> None:
        self.path = path
        self.data = data
        self.units = tuple(units)
        self.errors = tuple(errors)

    @property
    @abstractmethod
    def parts(self) -> tuple[tuple[int | None, str], ...]:
        """The text of the file, or of each code cell with its number, as written."""

    def with_edits(self, edits: Mapping[int, Sequence[Edit]]) -> bytes:
        """The file's bytes after edits, given by the index of the unit.

        Raises ValueError for edits that overlap or that `Unit.accepts` refuses, FileError where the encoding
        cannot express the result.
        """
        by_cell: dict[int | None, list[Edit]] = {}
        for index, changes in edits.items():
            placed = self.units[index].in_cells(ordered(changes))
            if placed is None:
                raise ValueError(f"edits that the file cannot take: {changes}")
            for cell, edit in placed:
                by_cell.setdefault(cell, []).append(edit)
        return self._rewritten(by_cell) if by_cell else self.data

    @property
    @abstractmethod
    def text(self) -> str:
        """The text of the file itself, which for a notebook is JSON."""

    @abstractmethod
    def region_in_text(self, cell: int | None, region: Region) -> Region:
        """Where a region of a part stands in `text`."""

    @abstractmethod
    def edits_in_text(self, by_cell: Mapping[int | None, Sequence[Edit]]) -> list[Edit]:
        """Edits to the parts as edits to `text`."""

    @abstractmethod
    def _rewritten(self, by_cell: Mapping[int | None, Sequence[Edit]]) -> bytes: ...


class _Script(Document):
    def __init__(self, path: Path, data: bytes) -> None:
        self._text, self._encoding = source_text.decode(data)
        super().__init__(path, data, [single(self._text)])

    @property
    def parts(self) -> tuple[tuple[int | None, str], ...]:
        return ((None, self._text),)

    @property
    def text(self) -> str:
        return self._text

    def region_in_text(self, cell: int | None, region: Region) -> Region:
        return region

    def edits_in_text(self, by_cell: Mapping[int | None, Sequence[Edit]]) -> list[Edit]:
        return list(by_cell[None])

    def _rewritten(self, by_cell: Mapping[int | None, Sequence[Edit]]) -> bytes:
        if source_text.encode(self._text, self._encoding) != self.data:
            raise FileError(f"cannot be changed: its {self._encoding} text has more than one spelling", path=self.path)
        return source_text.encode(apply(self._text, by_cell[None]), self._encoding)


class _NotebookFile(Document):
    def __init__(self, path: Path, data: bytes) -> None:
        self._notebook = Notebook(data)
        program: list[Segment] = []
        others: list[Unit] = []
        errors: list[FileError] = []
        for cell in self._notebook.cells:
            try:
                translation = _parsed(cell)
            except FileError as error:
                error.path = path
                errors.append(error)
                continue
            if translation is None:
                continue
            segment = Segment(
                translation.text,
                cell=cell.number,
                source=cell.source,
                first_line=translation.first_line,
                indent=translation.indent,
                magics=translation.magics,
                headers=translation.headers,
            )
            if translation.own_program:
                others.append(join([segment]))
            else:
                program.append(segment)
        super().__init__(path, data, [join(program), *others], errors)

    @property
    def parts(self) -> tuple[tuple[int | None, str], ...]:
        return tuple((cell.number, cell.source) for cell in self._notebook.cells)

    def _rewritten(self, by_cell: Mapping[int | None, Sequence[Edit]]) -> bytes:
        return self._notebook.with_edits(_numbered(by_cell))

    @property
    def text(self) -> str:
        return self._notebook.json

    def region_in_text(self, cell: int | None, region: Region) -> Region:
        return region if cell is None else self._notebook.json_region(cell, region)

    def edits_in_text(self, by_cell: Mapping[int | None, Sequence[Edit]]) -> list[Edit]:
        return self._notebook.json_edits(_numbered(by_cell))


def _numbered(by_cell: Mapping[int | None, Sequence[Edit]]) -> dict[int, Sequence[Edit]]:
    return {cell: edits for cell, edits in by_cell.items() if cell is not None}


def load(path: Path, data: bytes | None = None) -> Document:
    """Reads a Python file or, by its suffix, a notebook; `data` stands in for the file's content."""
    try:
        if data is None:
            data = path.read_bytes()
        return _NotebookFile(path, data) if path.suffix.lower() == ".ipynb" else _Script(path, data)
    except OSError as error:
        raise from_os_error(error, "read", path) from error
    except FileError as error:
        error.path = path
        raise


def write(path: Path, data: bytes) -> None:
    """Replaces an existing file's content at once or not at all, with its mode kept; a link's target is written."""
    real = path.resolve()
    temporary: Path | None = None
    try:
        mode = stat.S_IMODE(real.stat().st_mode)
        handle, name = tempfile.mkstemp(dir=real.parent, prefix=f".{real.name[:100]}.")
        temporary = Path(name)
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        temporary.chmod(mode)
        temporary.replace(real)
    except OSError as error:
        if temporary is not None:
            temporary.unlink(missing_ok=True)
        raise from_os_error(error, "written", path) from error


def _parsed(cell: Cell) -> Translation | None:
    """The Python of a cell, known to parse by itself."""
    translation = translate(cell.source)
    if translation is None:
        return None
    # One newline, no more: a cell that ends in a backslash must fail here, not swallow the next cell's first line.
    problem = _syntax_error(f"{translation.text}\n")
    if problem is None:
        return translation
    if stand_in := automagic(cell.source):
        return stand_in
    message, line = problem
    in_cell = None if line is None else line + translation.first_line - 1
    raise FileError(f"cannot be parsed: {message}", line=in_cell, cell=cell.number)


def _syntax_error(text: str) -> tuple[str, int | None] | None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            ast.parse(text)
        except SyntaxError as error:
            return error.msg, error.lineno
        except (RecursionError, MemoryError):
            return "too deeply nested", None
        except ValueError:  # half of a surrogate pair, or a NUL on some versions
            return "a character that is no text", None
    return None
