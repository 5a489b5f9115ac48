"""Places as the editor counts them: lines from 0, columns in the units that it was agreed to count in."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Sequence

from lsprotocol import types as lsp
from pygls.workspace import PositionCodec

from pipelint.lint.diagnostic import LocatedEdit, Span
from pipelint.server.open_texts import lines_of
from pipelint.source.lines import Position


class Ruler:
    """Measures places in one text."""

    def __init__(self, lines: Sequence[str], codec: PositionCodec) -> None:
        self._lines = lines
        self._codec = codec

    def position(self, place: Position) -> lsp.Position:
        """A place that pipelint counts from 1, in code points; one behind the last line stands at the end."""
        if place.line > len(self._lines):
            return self.end
        before = self._lines[place.line - 1][: place.column - 1].rstrip("\r\n")
        return lsp.Position(place.line - 1, self._codec.client_num_units(before))

    @property
    def end(self) -> lsp.Position:
        """The end of the text."""
        last = self._lines[-1] if self._lines else ""
        if last.endswith(("\r", "\n")) or not last:
            return lsp.Position(len(self._lines), 0)
        return lsp.Position(len(self._lines) - 1, self._codec.client_num_units(last))

    def line_end(self, line: int) -> lsp.Position:
        """The end of a line, which is counted from 1."""
        text = self._lines[line - 1].rstrip("\r\n") if line <= len(self._lines) else ""
        return lsp.Position(line - 1, self._codec.client_num_units(text))

    def edit(self, edit: LocatedEdit, *, in_file: bool) -> lsp.TextEdit:
        """An edit; `in_file` counts the lines of the file itself, which for a notebook is JSON."""
        return lsp.TextEdit(self.span(edit.span, in_file=in_file), edit.text)

    def span(self, span: Span, *, in_file: bool) -> lsp.Range:
        """A stretch, counted in the same way."""
        if in_file:
            return lsp.Range(self.position(span.file_start), self.position(span.file_end))
        end = self.position(span.end) if span.end.cell == span.start.cell else self.end
        return lsp.Range(self.position(span.start), end)

    def edits_to(self, after: str) -> Iterator[lsp.TextEdit]:
        """The edits, whole lines each, that make another text of this one."""
        new = lines_of(after)
        matcher = difflib.SequenceMatcher(a=self._lines, b=new, autojunk=False)
        for kind, first, last, start, end in matcher.get_opcodes():
            if kind != "equal":
                where = lsp.Range(self._line_start(first), self._line_start(last))
                yield lsp.TextEdit(where, "".join(new[start:end]))

    def _line_start(self, index: int) -> lsp.Position:
        return lsp.Position(index, 0) if index < len(self._lines) else self.end
