"""A unit: one Python text that is analysed as one program, and where its parts stand in the file."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from pipelint.model.edit import Edit
from pipelint.model.locations import Region
from pipelint.model.tensorflow_version import Version
from pipelint.source.lines import NEWLINE, Lines, Position, first_newline

_LAST_NEWLINE = re.compile(r"(?:\r\n|\r|\n)\Z")


@dataclass(frozen=True)
class Segment:
    """The part of a unit that comes from one cell: whole lines, some of which stand in for magics."""

    text: str
    cell: int | None = None
    source: str | None = None  # the cell as written, where that differs from the text
    first_line: int = 1  # the line of the cell at which the text begins
    indent: str = ""  # what was taken off each line of the cell that begins with it
    magics: tuple[tuple[int, int], ...] = ()  # first and last line of each magic, counted in the cell
    headers: int = 0  # how many leading lines must stay first, such as %%time
    timed: bool = False  # whether the time of the cell is taken, by %%time or %%timeit

    @cached_property
    def lines(self) -> Lines:
        """The lines of the text."""
        return Lines(self.text)

    @cached_property
    def source_lines(self) -> Lines:
        """The lines of the cell as written."""
        return Lines(self.text if self.source is None else self.source)

    def is_magic(self, line: int, inside: bool = False) -> bool:
        """Whether a line of the text stands in for a magic or, with `inside`, for a later line of one."""
        in_cell = line + self.first_line - 1
        return any(first + inside <= in_cell <= last for first, last in self.magics)

    def cell_position(self, line: int, column: int) -> tuple[int, int]:
        """Where a line, from 1, and column, from 0, of the text stand in the cell."""
        line += self.first_line - 1
        indented = bool(self.indent) and self.source_lines.text.startswith(self.indent, self.source_lines.start(line))
        return line, column + len(self.indent) if indented else column

    def in_source(self, line: int, column: int) -> int:
        """The offset in the cell as written of a line and column of the text."""
        line, column = self.cell_position(line, column)
        return self.source_lines.start(line) + column

    def indented(self, text: str) -> str:
        """Added text, with the indentation that was taken off the cell."""
        return text.replace("\n", f"\n{self.indent}")


@dataclass(frozen=True)
class Unit:
    """One Python text. In a notebook the cells are joined, each with a newline at its end that is not in the file."""

    segments: tuple[Segment, ...]
    joined: bool = False
    run_with: Version | None = None
    """The newest TensorFlow that its notebook can be said to have been run with, where that tells."""
    tells_release: bool = False
    """Whether its notebook tells that version itself; the Python of its last run only tells which there were."""
    last_shown: Version | None = None
    """The newest TensorFlow that the outputs of its notebook show, also where it is opened with a newer one today."""

    @cached_property
    def text(self) -> str:
        """The program, with the file's own newlines and no byte order mark; magics stand as harmless Python."""
        return "".join(f"{segment.text}\n" if self.joined else segment.text for segment in self.segments)

    @cached_property
    def lines(self) -> Lines:
        """The lines of the whole text."""
        return Lines(self.text)

    @cached_property
    def newline(self) -> str:
        """The newline that added lines should end with."""
        return first_newline(self.text)

    @property
    def cell_ends(self) -> tuple[int, ...]:
        """The offsets at which the cells of a notebook end: it shows the value of an expression that stands there."""
        return (*self._starts[1:], len(self.text)) if self.joined else ()

    @property
    def timed(self) -> tuple[Region, ...]:
        """The cells whose time is taken."""
        return tuple(
            Region(start, start + len(segment.text))
            for start, segment in zip(self._starts, self.segments, strict=True)
            if segment.timed
        )

    @property
    def parts(self) -> tuple[tuple[int | None, str], ...]:
        """The texts of its cells as written, or the one text of a file."""
        return tuple((segment.cell, segment.source_lines.text) for segment in self.segments)

    def place(self, offset: int) -> Position:
        """Where an offset of the text stands in the file."""
        index = self._index(offset)
        if index is None:
            return Position(1, 1)
        segment, inside = self.segments[index], offset - self._starts[index]
        line = segment.lines.number(min(inside, len(segment.text)))
        line, column = segment.cell_position(line, inside - segment.lines.start(line))
        return Position(line, column + 1, segment.cell)

    def accepts(self, edits: Iterable[Edit]) -> bool:
        """Whether the file can take these edits: none changes a magic, but for a comment, or reaches across cells."""
        return self.in_cells(edits) is not None

    def in_cells(self, edits: Iterable[Edit]) -> list[tuple[int | None, Edit]] | None:
        """The edits in offsets of the cells as written, each with its cell; None if one is refused."""
        by_segment: dict[int, list[Edit]] = {}
        for edit in sorted(set(edits)):
            index = self._index(edit.region.start)
            if index is None:
                return None
            by_segment.setdefault(index, []).append(edit.moved(-self._starts[index]))
        result: list[tuple[int | None, Edit]] = []
        for index, local_edits in by_segment.items():
            segment = self.segments[index]
            written = _written(segment, local_edits) if self.joined else local_edits
            if written is None:
                return None
            result += ((segment.cell, Edit(e.region, _with_newlines(e.text, self.newline))) for e in written)
        return result

    @cached_property
    def _starts(self) -> list[int]:
        starts, at = [], 0
        for segment in self.segments:
            starts.append(at)
            at += len(segment.text) + self.joined
        return starts

    def _index(self, offset: int) -> int | None:
        return bisect_right(self._starts, offset) - 1 if self.segments else None


def single(text: str) -> Unit:
    """The unit of a whole file."""
    return Unit((Segment(text),))


def join(segments: Sequence[Segment]) -> Unit:
    """The unit of a notebook's cells."""
    return Unit(tuple(segments), joined=True)


def _with_newlines(text: str, newline: str) -> str:
    # A moved piece of the file already has its own newlines; only the plain ones are a fix's.
    return text if newline == "\n" else NEWLINE.sub(lambda end: newline if end.group() == "\n" else end.group(), text)


def _written(segment: Segment, edits: Iterable[Edit]) -> list[Edit] | None:
    """Edits to a segment's text as edits to its cell; None if one is refused."""
    result: list[Edit] = []
    for touching in _runs(edits):
        fitted = _without_joint(segment, touching)
        written = None if fitted is None else _past_magics(segment, fitted)
        if written is None:
            return None
        if result and result[-1].region == written.region:  # two insertions that the cell has one place for
            written = Edit(written.region, result.pop().text + written.text)
        result.append(written)
    return result


def _runs(edits: Iterable[Edit]) -> Iterator[Edit]:
    """Edits that touch, made one; edits that overlap stay apart, to be refused when they are applied."""
    run: Edit | None = None
    for edit in edits:
        if run is not None and run.region.end == edit.region.start and run.region != edit.region:
            run = Edit(Region(run.region.start, edit.region.end), run.text + edit.text)
            continue
        if run is not None:
            yield run
        run = edit
    if run is not None:
        yield run


def _without_joint(segment: Segment, edit: Edit) -> Edit | None:
    """The edit without the newline that only joins the cell to the next one."""
    start, end, text = edit.region.start, edit.region.end, edit.text
    last = len(segment.text)
    if end <= last:
        return edit
    if end > last + 1:
        return None
    ended = _LAST_NEWLINE.search(text)
    if start == last + 1:  # behind the joint of the last cell
        return Edit(Region(last, last), "\n" + text[: ended.start() if ended else None])
    if ended:
        return Edit(Region(start, last), text[: ended.start()])
    line = segment.lines.number(start)
    if text or start != segment.lines.start(line):
        return None
    # The last lines are deleted: the newline before them goes instead of the one that is not there.
    alone = line == 1 or segment.is_magic(line - 1)
    return Edit(Region(start if alone else segment.lines.end(line - 1), last), "")


def _past_magics(segment: Segment, edit: Edit) -> Edit | None:
    """The edit in offsets of the cell as written, or None if it touches a magic."""
    first, last = segment.lines.number(edit.region.start), segment.lines.number(edit.region.end)
    column, end_column = edit.region.start - segment.lines.start(first), edit.region.end - segment.lines.start(last)
    if (first, column) == (last, end_column) and column == 0 and edit.text.endswith("\n"):
        # Whole lines are added: that is fine before a magic, but not inside one, nor before a cell's %% line.
        first = last = max(first, segment.headers + 1)
        if first > len(segment.lines) or segment.is_magic(first, inside=True):
            return None
    else:
        end = last - 1 if last > first and end_column == 0 else last
        if any(segment.is_magic(line) for line in range(first, end + 1)) and not _ends_line(segment, edit, first):
            return None
    return Edit(
        Region(segment.in_source(first, column), segment.in_source(last, end_column)), segment.indented(edit.text)
    )


def _ends_line(segment: Segment, edit: Edit, line: int) -> bool:
    """Whether an edit adds a comment behind what a magic runs, such as the call of `%time model.fit(ds)`."""
    text, source = segment.lines, segment.source_lines
    written = line + segment.first_line - 1
    is_comment = edit.text.lstrip(" ").startswith("#") and not NEWLINE.search(edit.text)
    code, cell = text.text[text.start(line) : text.end(line)], source.text[source.start(written) : source.end(written)]
    return is_comment and edit.region.end == text.end(line) and len(code) + len(segment.indent) == len(cell)
