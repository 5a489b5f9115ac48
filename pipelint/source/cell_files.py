"""The cells of a notebook that is run: each is a file of its own to Python, under the name that reports have for it."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from pipelint.source.cell_programs import read_cells
from pipelint.source.notebook import Notebook
from pipelint.source.paths import cell_name, split_cell


def cells_to_run(path: Path, content: bytes) -> dict[str, str]:
    """The program of a notebook by the names of its cells, in their order; magics do nothing, as in a check of it."""
    program, *_ = read_cells(Notebook(content).cells).units
    return {
        cell_name(path, segment.cell): "\n" * (segment.first_line - 1) + segment.text for segment in program.segments
    }


def line_of_cell(name: str, line: int) -> str:
    """A line of a cell as it is written, "" where there is none."""
    path, cell = split_cell(name)
    lines = _sources(path).get(cell, "").splitlines()
    return lines[line - 1] if 0 < line <= len(lines) else ""


@cache
def _sources(path: str) -> dict[int | None, str]:
    return {cell.number: cell.source for cell in Notebook(Path(path).read_bytes()).cells}
