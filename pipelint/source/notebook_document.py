"""A notebook as a document: its code cells joined to one program, and the way back from edits to its JSON."""

from __future__ import annotations

import ast
import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path

from pipelint.model.locations import Region
from pipelint.model.repair import Edit
from pipelint.source.document import Document
from pipelint.source.errors import FileError
from pipelint.source.magics import Translation, automagic, translate
from pipelint.source.notebook import Cell, Notebook
from pipelint.source.unit import Segment, Unit, join


class NotebookDocument(Document):
    """The Python cells of an .ipynb file."""

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
