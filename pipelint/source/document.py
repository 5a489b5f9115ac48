"""One file: its bytes, the Python programs in it, and the way back from edits to bytes."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from pathlib import Path

from pipelint.model.edit import Edit
from pipelint.model.locations import Region
from pipelint.source.edits import apply, ordered
from pipelint.source.encoding import decode, encode
from pipelint.source.errors import FileError
from pipelint.source.unit import Unit, single


class Document(ABC):
    """A file and its units; `with_edits` gives the bytes after edits, with every other byte kept."""

    path: Path
    units: tuple[Unit, ...]
    errors: tuple[FileError, ...]
    left_out: tuple[int, ...]
    """The cells of a notebook that were read as Python and are none."""

    def __init__(
        self,
        path: Path,
        data: bytes,
        units: Sequence[Unit],
        errors: Sequence[FileError] = (),
        left_out: Sequence[int] = (),
    ) -> None:
        self.path = path
        self.data = data
        self.units = tuple(units)
        self.errors = tuple(errors)
        self.left_out = tuple(left_out)

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


class Script(Document):
    """A Python file."""

    def __init__(self, path: Path, data: bytes) -> None:
        self._text, self._encoding = decode(data)
        super().__init__(path, data, [single(self._text)])

    @property
    def parts(self) -> tuple[tuple[int | None, str], ...]:
        """The whole file."""
        return ((None, self._text),)

    @property
    def text(self) -> str:
        """The program."""
        return self._text

    def region_in_text(self, cell: int | None, region: Region) -> Region:
        """The same place."""
        return region

    def edits_in_text(self, by_cell: Mapping[int | None, Sequence[Edit]]) -> list[Edit]:
        """The same edits."""
        return list(by_cell[None])

    def _rewritten(self, by_cell: Mapping[int | None, Sequence[Edit]]) -> bytes:
        if encode(self._text, self._encoding) != self.data:
            raise FileError(f"cannot be changed: its {self._encoding} text has more than one spelling", path=self.path)
        return encode(apply(self._text, by_cell[None]), self._encoding)
