"""From the positions of `ast` nodes to character offsets."""

from __future__ import annotations

import ast

from pipelint.model.locations import Region
from pipelint.source.address_space import BEYOND, AddressSpace
from pipelint.source.lines import Lines, first_newline


class Positions(Lines):
    """The lines of a program's text, and where nodes stand in it, or in the modules around it."""

    def __init__(self, text: str, around: AddressSpace | None = None) -> None:
        super().__init__(text)
        self._around = around
        self._regions: dict[ast.AST, Region] = {}

    def offset(self, line: int, utf8_column: int) -> int:
        """The offset of an `ast` position: line from 1, column from 0 in bytes of UTF-8."""
        if line < BEYOND or self._around is None:
            return super().offset(line, utf8_column)
        stretch = self._around.of_line(line)
        return stretch.first_offset + stretch.lines.offset(line - stretch.first_line + 1, utf8_column)

    def region(self, node: ast.expr | ast.stmt | ast.keyword | ast.arg | ast.alias | ast.excepthandler) -> Region:
        """Where a node stands."""
        region = self._regions.get(node)
        if region is None:
            end_line, end_column = node.end_lineno or node.lineno, node.end_col_offset or node.col_offset
            region = Region(self.offset(node.lineno, node.col_offset), self.offset(end_line, end_column))
            self._regions[node] = region
        return region

    def attribute_name(self, node: ast.Attribute) -> Region:
        """Where the last name of a dotted expression stands."""
        end = self.region(node).end
        return Region(end - len(node.attr), end)

    def definition_name(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> Region:
        """Where the name of a function stands in its definition."""
        start = self.offset(node.lineno, node.col_offset)
        text, base = self.text, 0
        if start >= BEYOND and self._around is not None:
            stretch = self._around.of_offset(start)
            text, base = stretch.lines.text, stretch.first_offset
        start = text.index(node.name, text.index("def", start - base) + 3) + base
        return Region(start, start + len(node.name))

    def line_start(self, offset: int) -> int:
        """The offset at which the line of this offset begins."""
        return self.start(self.number(offset))

    def indentation(self, offset: int) -> str:
        """The white space that begins the line of this offset."""
        start = self.line_start(offset)
        line = self.text[start : offset + 1]
        return line[: len(line) - len(line.lstrip(" \t"))] if line.strip() else line

    def line_end(self, offset: int) -> int:
        """The offset at which the line of this offset ends, before its line break."""
        return self.end(self.number(offset))

    @property
    def newline(self) -> str:
        """The line break that the text uses."""
        return first_newline(self.text)
