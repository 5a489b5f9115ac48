"""Where a new import may go: to the imports of a module that loads the package in any case.

Importing TensorFlow loads Keras and fixes its backend, and a program that imports it under a condition, in a function
or not at all may do so to run without it. So an import is added only where the module has one of the same package that
always runs, which leaves nothing to decide, and it goes to the group of that one: never between other code.
"""

from __future__ import annotations

import ast

from pipelint.knowledge import names
from pipelint.model.edit import Edit
from pipelint.model.locations import Region
from pipelint.rewrite.syntax import Syntax, Unfit, first_line

_IMPORTS = (ast.Import, ast.ImportFrom)
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


class Placement:
    """Finds places for imports at the top level of one program."""

    def __init__(self, syntax: Syntax) -> None:
        self._positions = syntax.positions
        self._body = syntax.tree.body

    def new_import(self, package: str, alias: str, at: int) -> Edit:
        """The edit that imports a package under this name for its use at an offset; raises Unfit."""
        use = self._statement_at(at)
        loaded = next((index for index, node in enumerate(self._body) if _imports(node, package)), None)
        if loaded is None or not (loaded < use or self._is_in_function(use, at)):
            where = "nowhere, or only under a condition or in a function" if loaded is None else "only further down"
            raise Unfit(f"`{package}` would have to be imported, which the program does {where}")
        statement = f"import {package}" if alias == package else f"import {package} as {alias}"
        end = self._end_of_group(loaded)
        return Edit(Region(end, end), self._positions.newline + statement)

    def _statement_at(self, offset: int) -> int:
        """The position of the top-level statement that holds an offset."""
        line = self._positions.number(offset)
        return max((index for index, node in enumerate(self._body) if first_line(node) <= line), default=0)

    def _is_in_function(self, index: int, offset: int) -> bool:
        """Whether what stands at an offset of a statement runs when a function is called, not with the statement."""
        functions = (node for node in ast.walk(self._body[index]) if isinstance(node, _FUNCTIONS))
        return any(self._positions.region(node).holds(Region(offset, offset)) for node in functions)

    def _end_of_group(self, index: int) -> int:
        """Where the last line ends of the imports that follow each other from this one on; raises Unfit."""
        while index + 1 < len(self._body) and isinstance(self._body[index + 1], _IMPORTS):
            index += 1
        last = self._positions.region(self._body[index]).end
        end = self._positions.line_end(last)
        follows = index + 1 < len(self._body) and first_line(self._body[index + 1]) == self._positions.number(last)
        if follows or self._positions.text.endswith("\\", 0, end):
            raise Unfit("the import that it needs has no line of its own to go to")
        return end


def _imports(statement: ast.stmt, package: str) -> bool:
    match statement:
        case ast.Import(names=aliases):
            return any(names.root(alias.name) == package for alias in aliases)
        case ast.ImportFrom(module=str() as module, level=0):
            return names.root(module) == package
        case _:
            return False
