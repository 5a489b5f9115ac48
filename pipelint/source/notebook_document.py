"""A notebook as a document: its code cells joined to one program, and the way back from edits to its JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from pipelint.model.edit import Edit
from pipelint.model.locations import Region
from pipelint.source.cell_programs import read_cells
from pipelint.source.document import Document
from pipelint.source.last_run import last_shown, run_with, tells_release
from pipelint.source.notebook import Notebook


class NotebookDocument(Document):
    """The Python cells of an .ipynb file."""

    def __init__(self, path: Path, data: bytes) -> None:
        self._notebook = Notebook(data)
        found = read_cells(self._notebook.cells)
        version, shown = run_with(self._notebook), last_shown(self._notebook)
        tells = tells_release(self._notebook)
        units = [replace(unit, run_with=version, tells_release=tells, last_shown=shown) for unit in found.units]
        super().__init__(path, data, units, found.errors(path), found.left_out)

    @property
    def parts(self) -> tuple[tuple[int | None, str], ...]:
        """The code cells, each with its number among all cells."""
        return tuple((cell.number, cell.source) for cell in self._notebook.cells)

    def _rewritten(self, by_cell: Mapping[int | None, Sequence[Edit]]) -> bytes:
        return self._notebook.with_edits(_numbered(by_cell))

    @property
    def text(self) -> str:
        """The JSON."""
        return self._notebook.json

    def region_in_text(self, cell: int | None, region: Region) -> Region:
        """Where a part of a cell stands in the JSON."""
        return region if cell is None else self._notebook.json_region(cell, region)

    def edits_in_text(self, by_cell: Mapping[int | None, Sequence[Edit]]) -> list[Edit]:
        """The edits in offsets of the JSON."""
        return self._notebook.json_edits(_numbered(by_cell))


def _numbered(by_cell: Mapping[int | None, Sequence[Edit]]) -> dict[int, Sequence[Edit]]:
    return {cell: edits for cell, edits in by_cell.items() if cell is not None}
