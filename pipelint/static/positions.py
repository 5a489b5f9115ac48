"""From the positions of `ast` nodes to character offsets."""

from __future__ import annotations

import ast
import re

from pipelint.model.finding import Region

_LINE_END = re.compile(r"\r\n|\r|\n")


class Positions:
    """Maps line and UTF-8 column, as `ast` counts them, to offsets in the text."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._starts = [0, *(match.end() for match in _LINE_END.finditer(text))]
        self._ascii = text.isascii()

    def offset(self, line: int, column: int) -> int:
        """The offset of a 1-based line and a 0-based column in UTF-8 bytes."""
        start = self._starts[line - 1]
        if self._ascii:
            return start + column
        # A character takes at least a byte, so the column's characters lie within this many.
        prefix = self.text[start : start + column].encode("utf-8", "surrogatepass")[:column]
        return start + len(prefix.decode("utf-8", "surrogatepass"))

    def region(self, node: ast.expr | ast.stmt | ast.keyword | ast.arg | ast.alias | ast.excepthandler) -> Region:
        """Where a node stands."""
        end_line, end_column = node.end_lineno or node.lineno, node.end_col_offset or node.col_offset
        return Region(self.offset(node.lineno, node.col_offset), self.offset(end_line, end_column))

    def attribute_name(self, node: ast.Attribute) -> Region:
        """Where the last name of a dotted expression stands."""
        end = self.region(node).end
        return Region(end - len(node.attr), end)

    def definition_name(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> Region:
        """Where the name of a function stands in its definition."""
        start = self.offset(node.lineno, node.col_offset)
        start = self.text.index(node.name, self.text.index("def", start) + 3)
        return Region(start, start + len(node.name))

    def line_start(self, offset: int) -> int:
        """The offset at which the line of this offset begins."""
        return max(self.text.rfind("\n", 0, offset), self.text.rfind("\r", 0, offset)) + 1

    def indentation(self, offset: int) -> str:
        """The white space that begins the line of this offset."""
        start = self.line_start(offset)
        line = self.text[start : offset + 1]
        return line[: len(line) - len(line.lstrip(" \t"))] if line.strip() else line

    def line_end(self, offset: int) -> int:
        """The offset at which the line of this offset ends, before its line break."""
        found = _LINE_END.search(self.text, offset)
        return found.start() if found else len(self.text)

    @property
    def newline(self) -> str:
        """The line break that the text uses."""
        found = _LINE_END.search(self.text)
        return found.group() if found else "\n"
