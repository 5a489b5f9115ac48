"""Notebooks: where the code cells stand in the JSON, and how to change them and nothing else."""

from __future__ import annotations

import codecs
import json
import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from json import JSONDecodeError
from typing import NamedTuple

from pipelint.model.edit import Edit
from pipelint.model.locations import Region
from pipelint.source.edits import apply, shared_ends
from pipelint.source.errors import FileError

# No number in a notebook matters here, and as an integer Python refuses one of more than 4,300 digits.
_decode = json.JSONDecoder(parse_int=float).raw_decode
_SPACE = re.compile(r"[ \t\n\r]*")
# One character of a JSON string as written; a surrogate pair is one character.
_CHARACTER = re.compile(r"\\u[dD][89abAB]..\\u[dD][c-fC-F]..|\\u....|\\.|.", re.DOTALL)
_ESCAPED_LETTER = re.compile(r"(?<!\\)(?:\\\\)*\\u(?!00[0-7])", re.IGNORECASE)

# Kernels that do not say their language and are not Python's.
_OTHER_KERNEL = re.compile(
    r"ir$|julia|ijavascript|bash|scala|spylon|octave|sas$|\.net-|swift|kotlin|rust|deno|gophernotes|ruby", re.IGNORECASE
)


@dataclass(frozen=True)
class Cell:
    """A code cell: its number among all cells and the text of its source."""

    number: int
    source: str
    value: Region  # where the value of `source` stands in the JSON
    outputs: int | None = None  # where the value of `outputs` begins


class Printed(NamedTuple):
    """A text that stands beneath a cell since it was last run."""

    text: str
    by: str
    """The stream, `stdout` or `stderr`; "" for the value of the last expression."""


class Notebook:
    """A notebook's JSON text and its Python cells."""

    def __init__(self, data: bytes) -> None:
        self._mark = codecs.BOM_UTF8 if data.startswith(codecs.BOM_UTF8) else b""
        try:
            self.json = data[len(self._mark) :].decode("utf-8")
        except UnicodeDecodeError as error:
            line = data.count(b"\n", 0, error.start) + 1
            raise FileError("is not a valid notebook: it is not UTF-8 text", line=line) from error
        try:
            top = _top(self.json)
            self.metadata = _metadata(self.json, top)
            self.cells = tuple(_code_cells(self.json, top)) if _is_python(self.metadata) else ()
        except JSONDecodeError as error:
            raise FileError(f"is not a valid notebook: {error.msg}", line=error.lineno) from error
        except RecursionError as error:
            raise FileError("is not a valid notebook: its JSON is nested too deeply") from error
        self._spelled: dict[int, list[tuple[int, int]]] = {}

    def printed(self, cell: Cell) -> Iterator[Printed]:
        """The texts that a cell has printed; what is no text, or not as the format has it, is left out."""
        found = _decode(self.json, cell.outputs)[0] if cell.outputs is not None else ()
        for output in found if isinstance(found, list) else ():
            match output:
                case {"name": str(stream), "text": text} | {"stream": str(stream), "text": text}:
                    yield Printed(_joined(text) or "", stream)
                case {"data": {"text/plain": text}} | {"output_type": "pyout", "text": text}:
                    yield Printed(_joined(text) or "", "")

    def with_edits(self, edits: Mapping[int, Sequence[Edit]]) -> bytes:
        """The file after edits to cells, given by cell number in offsets of the cell's source."""
        return self._mark + apply(self.json, self.json_edits(edits)).encode("utf-8")

    def json_edits(self, edits: Mapping[int, Sequence[Edit]]) -> list[Edit]:
        """The same edits in offsets of the JSON text, at most one for each cell."""
        changes = []
        for number in sorted(edits.keys() & self._by_number.keys()):
            if changed := edits[number]:
                cell = self._by_number[number]
                value = _edited_source(self.json, cell.value.start, changed, self._escapes)
                changes.append(_without_common_ends(self.json, Edit(cell.value, value)))
        return changes

    def json_region(self, number: int, region: Region) -> Region:
        """Where a part of a cell's source stands in the JSON text; what is beyond its end stands there."""
        end = self._by_number[number].value.end
        if number not in self._spelled:
            self._spelled[number] = self._characters(number)
        spelled = self._spelled[number]
        if region.start >= len(spelled):
            last = spelled[-1][1] if spelled else end
            return Region(last, last)
        first = spelled[region.start][0]
        return Region(first, spelled[min(region.end, len(spelled)) - 1][1] if region.end > region.start else first)

    def _characters(self, number: int) -> list[tuple[int, int]]:
        """Where each character of a cell's source is spelled."""
        at = self._by_number[number].value.start
        starts = [at] if self.json[at] == '"' else _elements(self.json, at)
        return [
            (start + 1 + where.start(), start + 1 + where.end())
            for start in starts
            for where in _CHARACTER.finditer(self.json[start + 1 : _decode(self.json, start)[1] - 1])
        ]

    @cached_property
    def _by_number(self) -> dict[int, Cell]:
        return {cell.number: cell for cell in self.cells}

    @cached_property
    def _escapes(self) -> bool:
        return _escapes_letters(self.json)


def _top(text: str) -> dict[str, int]:
    """Where the parts of a notebook begin."""
    start = _skip(text, 0)
    top = _members(text, start)
    end = _skip(text, _decode(text, start)[1])
    if end != len(text):
        raise JSONDecodeError("Extra data", text, end)
    if "cells" not in top and "worksheets" not in top:
        raise JSONDecodeError("it has no cells", text, start)
    return top


def _metadata(text: str, top: Mapping[str, int]) -> dict[str, object]:
    found = _decode(text, top["metadata"])[0] if "metadata" in top else None
    return found if isinstance(found, dict) else {}


def _code_cells(text: str, top: Mapping[str, int]) -> Iterator[Cell]:
    """The Python cells of a notebook, of format 4 or 3 (where cells stand in worksheets and say `input`)."""
    if "cells" in top:
        lists = [top["cells"]]
    else:
        sheets = [_members(text, sheet) for sheet in _elements(text, top["worksheets"])]
        lists = [sheet["cells"] for sheet in sheets if "cells" in sheet]
    starts = [cell for cells in lists for cell in _elements(text, cells)]
    for number, start in enumerate(starts, 1):
        cell = _members(text, start)
        value = cell.get("source", cell.get("input"))
        if value is None or "cell_type" not in cell or _decode(text, cell["cell_type"])[0] != "code":
            continue
        if any(not _says_python(language) for language in _languages(text, cell)):
            continue
        written, end = _decode(text, value)
        source = _joined(written)
        if source is None:
            raise JSONDecodeError(f"the source of cell {number} is not text", text, value)
        yield Cell(number, source, Region(value, end), cell.get("outputs"))


def _joined(text: object) -> str | None:
    """A text that may be written as a list of lines; None for what is none."""
    if isinstance(text, list) and all(isinstance(line, str) for line in text):
        return "".join(text)
    return text if isinstance(text, str) else None


def _languages(text: str, cell: Mapping[str, int]) -> Iterator[object]:
    """What a cell says of its own language: in format 3, or where an editor lets it differ from the notebook's."""
    if "language" in cell:
        yield _decode(text, cell["language"])[0]
    if "metadata" in cell:
        match _decode(text, cell["metadata"])[0]:
            case {"vscode": {"languageId": language}}:
                yield language


def _is_python(metadata: Mapping[str, object]) -> bool:
    """Whether the notebook runs on Python; one that does not say so is taken to."""
    info, kernel = metadata.get("language_info"), metadata.get("kernelspec")
    info, kernel = (part if isinstance(part, dict) else {} for part in (info, kernel))
    language = info.get("name") or kernel.get("language")
    if isinstance(language, str):
        return _says_python(language)
    name = kernel.get("name")
    return not (isinstance(name, str) and _OTHER_KERNEL.match(name))


def _says_python(language: object) -> bool:
    return isinstance(language, str) and language.lower().startswith(("python", "ipython"))


# The JSON is read by position: an object gives where the value of each key begins (a key that
# comes twice counts with its last value, as in `json`), and an array where each element does.


def _members(text: str, at: int) -> dict[str, int]:
    members: dict[str, int] = {}
    for start in _items(text, at, "{}"):
        key, value = _member(text, start)
        members[key] = value
    return members


def _member(text: str, at: int) -> tuple[str, int]:
    if text[at : at + 1] != '"':
        raise JSONDecodeError("Expecting property name enclosed in double quotes", text, at)
    key, end = _decode(text, at)
    colon = _skip(text, end)
    if text[colon : colon + 1] != ":":
        raise JSONDecodeError("Expecting ':' delimiter", text, colon)
    return key, _skip(text, colon + 1)


def _elements(text: str, at: int) -> list[int]:
    return list(_items(text, at, "[]"))


def _items(text: str, at: int, brackets: str) -> Iterator[int]:
    """Where each item of an array, or each key of an object, begins."""
    if text[at : at + 1] != brackets[0]:
        kind = "an object" if brackets == "{}" else "a list"
        raise JSONDecodeError(f"expecting {kind}", text, at)
    at = _skip(text, at + 1)
    if text[at : at + 1] == brackets[1]:
        return
    while True:
        yield at
        value = _member(text, at)[1] if brackets == "{}" else at
        at = _skip(text, _decode(text, value)[1])
        if text[at : at + 1] == brackets[1]:
            return
        if text[at : at + 1] != ",":
            raise JSONDecodeError("Expecting ',' delimiter", text, at)
        at = _skip(text, at + 1)


def _skip(text: str, at: int) -> int:
    space = _SPACE.match(text, at)
    assert space is not None
    return space.end()


# A changed source is rewritten character by character: each one is kept as it was written, escapes
# included, and only what an edit adds is spelled anew.


def _edited_source(text: str, at: int, edits: Iterable[Edit], escape: bool) -> str:
    """The JSON of a source value, one string or a list of them, after edits to its text."""
    _, end = _decode(text, at)
    if text[at] == '"':
        return f'"{"".join(_edited(_spelled(text[at:end]), edits, escape))}"'
    starts = _elements(text, at)
    if not starts:
        return f"[{', '.join(_split_lines(_edited([], edits, escape)))}]"
    ends = [_decode(text, start)[1] for start in starts]
    raw = [text[start:end] for start, end in zip(starts, ends, strict=True)]
    between = [text[left:right] for left, right in zip(ends, starts[1:], strict=False)]
    opening, closing = text[at : starts[0]], text[ends[-1] : end]
    added = between[0] if between else f",{opening[1:] or ' '}"
    kept = list(zip(raw, [*between, added], strict=True))

    pieces: list[tuple[str, str]] = []  # each string with what separates it from the next one
    done = 0
    for first, last, local in _by_string(edits, raw):
        pieces += kept[done:first]
        characters = [character for string in raw[first : last + 1] for character in _spelled(string)]
        pieces += ((line, added) for line in _split_lines(_edited(characters, local, escape)))
        done = last + 1
    pieces += kept[done:]
    if not pieces:
        return "[]"
    return opening + "".join(string + separator for string, separator in pieces[:-1]) + pieces[-1][0] + closing


def _without_common_ends(text: str, edit: Edit) -> Edit:
    """The edit without what it leaves as it was at both ends."""
    old = text[edit.region.start : edit.region.end]
    head, tail = shared_ends(old, edit.text)
    return Edit(Region(edit.region.start + head, edit.region.end - tail), edit.text[head : len(edit.text) - tail])


def _by_string(edits: Iterable[Edit], raw: Sequence[str]) -> list[tuple[int, int, list[Edit]]]:
    """Edits by the run of strings that they touch: its first and last index, and the edits in offsets of the run."""
    bounds = [0, *accumulate(len(_spelled(string)) for string in raw)]
    runs: list[tuple[int, int, list[Edit]]] = []
    for edit in sorted(edits):
        first = min(bisect_right(bounds, edit.region.start), len(raw)) - 1
        last = max(first, min(bisect_left(bounds, edit.region.end), len(raw)) - 1)
        run: list[Edit] = []
        if runs and first <= runs[-1][1]:
            first, end, run = runs.pop()
            last = max(end, last)
        runs.append((first, last, [*run, edit.moved(-bounds[first])]))
    return runs


def _spelled(string: str) -> list[str]:
    """The characters of a JSON string, each as written."""
    return _CHARACTER.findall(string[1:-1])


def _edited(characters: list[str], edits: Iterable[Edit], escape: bool) -> list[str]:
    result: list[str] = []
    done = 0
    for edit in sorted(edits):
        result += characters[done : edit.region.start]
        result += (json.dumps(character, ensure_ascii=escape)[1:-1] for character in edit.text)
        done = edit.region.end
    return result + characters[done:]


def _split_lines(characters: list[str]) -> list[str]:
    """JSON strings of one line each, newlines kept at their ends."""
    lines, line = [], ""
    for character in characters:
        line += character
        if character in ("\\n", "\\u000a", "\\u000A"):
            lines.append(f'"{line}"')
            line = ""
    return [*lines, f'"{line}"'] if line else lines


def _escapes_letters(text: str) -> bool:
    """Whether the file spells letters beyond ASCII as escapes."""
    return text.isascii() and _ESCAPED_LETTER.search(text) is not None
