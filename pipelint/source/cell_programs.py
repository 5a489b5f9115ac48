"""The programs in a notebook's cells: the notebook's own, and the Python files that cells write."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from keyword import iskeyword
from pathlib import Path

from pipelint.source.errors import FileError
from pipelint.source.fragments import is_fragment, syntax_error
from pipelint.source.lines import NEWLINE
from pipelint.source.magics import Translation, automagic, is_in_another_language, translate
from pipelint.source.notebook import Cell
from pipelint.source.relevance import Mentions, may_matter
from pipelint.source.unit import Segment, Unit, join

_BINDING = re.compile(
    r"[ \t]*(?:(?:async[ \t]+)?(?:def|class)[ \t]+(?P<name>\w+)"
    r"|(?P<targets>\w+(?:[ \t]*[,=][ \t]*\w+)*)[ \t]*(?::[^=]+|[-+*/|&])?=(?!=))"
)
_TARGET = re.compile(r"[^\W\d]\w*")


@dataclass
class CellPrograms:
    """What the code cells of a notebook hold."""

    units: list[Unit] = field(default_factory=list)
    """The notebook's own program, then the files that its cells write."""
    left_out: list[int] = field(default_factory=list)
    """The cells that were read as Python and are none."""
    _broken: list[FileError] = field(default_factory=list)

    def errors(self, path: Path) -> list[FileError]:
        """One error for the notebook, at the first cell that speaks of TensorFlow and is broken Python."""
        if not self._broken:
            return []
        first, more = self._broken[0], len(self._broken) - 1
        others = f" (and {more} more {'cells' if more > 1 else 'cell'} of this notebook)" if more else ""
        return [FileError(first.message + others, line=first.line, cell=first.cell, path=path)]

    def leave_out(self, segment: Segment, error: Exception, matters: bool) -> None:
        """Note a cell that does not parse, and whether anyone should hear of it."""
        assert segment.cell is not None
        self.left_out.append(segment.cell)
        if not matters or (isinstance(error, SyntaxError) and is_fragment(error, segment.text)):
            return
        line = error.lineno if isinstance(error, SyntaxError) else None
        in_cell = None if line is None else line + segment.first_line - 1
        self._broken.append(FileError(f"cannot be parsed: {_reason(error)}", line=in_cell, cell=segment.cell))


def read_cells(cells: Sequence[Cell]) -> CellPrograms:
    """The programs of a notebook; a cell that is no Python costs the others nothing."""
    found = CellPrograms()
    mentions = Mentions(cell.source for cell in cells)
    program: list[Segment] = []
    files: dict[str, list[Segment]] = {}
    written: list[list[Segment]] = []
    for cell in cells:
        translation = translate(cell.source)
        if translation is None:
            continue
        if translation.file is None:
            program += _part_of_program(cell, translation, found, mentions)
            continue
        if not translation.appends or translation.file not in files:
            files[translation.file] = []
            written.append(files[translation.file])
        files[translation.file].append(_segment(cell, translation))
    found.units.append(join(program))
    for parts in written:
        found.units += _file(parts, found)
    return found


def _part_of_program(
    cell: Cell, translation: Translation, found: CellPrograms, mentions: Mentions
) -> Iterator[Segment]:
    """The cell if it is Python, else what stands in for it."""
    segment = _segment(cell, translation)
    error = syntax_error(segment.text)
    if error is None:
        yield segment
    elif command := automagic(cell.source):
        yield _segment(cell, command)
    else:
        other = is_in_another_language(cell.source)
        found.leave_out(segment, error, matters=not other and mentions.in_cell(cell.source))
        if not other:
            yield from _unknown(segment)


def _file(parts: Sequence[Segment], found: CellPrograms) -> Iterator[Unit]:
    """A file that cells write, each a part of it; where the whole does not parse, the parts that do."""
    whole = join(parts)
    if syntax_error(whole.text) is None:
        yield whole
        return
    for part in parts:
        error = syntax_error(part.text)
        if error is None:
            yield join([part])
        else:
            found.leave_out(part, error, matters=may_matter(whole.text))


def _unknown(segment: Segment) -> Iterator[Segment]:
    """A cell that could not be read: its imports count, and of what it seems to define nothing is known any more."""
    lines = [_unknown_line(line) for line in NEWLINE.split(segment.text)]
    if any(lines):
        newlines = [*NEWLINE.findall(segment.text), ""]
        text = "".join(map("".join, zip(lines, newlines, strict=True)))
        yield replace(segment, text=text, indent="", magics=((1, len(lines)),), headers=0)


def _unknown_line(line: str) -> str:
    if line.startswith(("import ", "from ")) and syntax_error(line) is None:
        return line
    found = _BINDING.match(line)
    if found is None:
        return ""
    names = [name for name in _TARGET.findall(found["name"] or found["targets"]) if not iskeyword(name)]
    return "".join(f"{name} = " for name in names) + "get_ipython()" if names else ""


def _segment(cell: Cell, translation: Translation) -> Segment:
    return Segment(
        translation.text,
        cell=cell.number,
        source=cell.source,
        first_line=translation.first_line,
        indent=translation.indent,
        magics=translation.magics,
        headers=translation.headers,
        timed=translation.timed,
    )


def _reason(error: Exception) -> str:
    if isinstance(error, SyntaxError):
        return error.msg
    # A ValueError is half of a surrogate pair, or a NUL on some versions.
    return "a character that is no text" if isinstance(error, ValueError) else "too deeply nested"
