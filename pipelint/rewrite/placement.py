"""Where a new import may go: never above a line that may decide what the import loads.

Importing TensorFlow loads Keras and fixes its backend, so an import that comes too early changes the program. Where the
module has imported the package already, nothing is left to decide, and the import goes to that group. Elsewhere it goes
below every line that may matter, and where such a line comes later, or at an unknown time, there is no place.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from functools import cached_property

from pipelint.knowledge import names
from pipelint.knowledge.loading import DECISIVE_CALLS, DECISIVE_STATE, INDIFFERENT_PACKAGES, READING_METHODS
from pipelint.model.locations import Region
from pipelint.model.repair import Edit
from pipelint.rewrite.syntax import AnyFunction, Syntax, Unfit, first_line

_IMPORTS = (ast.Import, ast.ImportFrom)
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_KERAS = frozenset({"keras", "tensorflow"})


class Placement:
    """Finds places for imports at the top level of one program."""

    def __init__(self, syntax: Syntax) -> None:
        self._syntax = syntax
        self._positions = syntax.positions
        self._body = syntax.tree.body

    def new_import(self, package: str, alias: str, at: int) -> Edit:
        """The edit that imports a package under this name before it is used at an offset; raises Unfit."""
        use = self._statement_at(at)
        loaded = self._first_import({package})
        if loaded is not None and loaded < use:
            anchor = self._end_of_group(loaded)
        else:
            anchor = self._below_what_matters(use, self._runs_by(use, at) if loaded is None else loaded)
        statement = f"import {package}" if alias == package else f"import {package} as {alias}"
        return self._behind(anchor, use, statement)

    def _statement_at(self, offset: int) -> int:
        """The position of the top-level statement that holds an offset."""
        line = self._positions.number(offset)
        return max((index for index, node in enumerate(self._body) if first_line(node) <= line), default=0)

    def _runs_by(self, use: int, offset: int) -> int:
        """Up to which statement, this one not included, lines may run before what stands at an offset."""
        functions = (node for node in ast.walk(self._body[use]) if isinstance(node, AnyFunction))
        runs_later = any(self._positions.region(node).holds(Region(offset, offset)) for node in functions)
        return len(self._body) if runs_later else use

    def _first_import(self, packages: set[str] | frozenset[str]) -> int | None:
        """The position of the first statement that surely loads one of these packages."""
        for index, node in enumerate(self._body):
            match node:
                case ast.Import(names=aliases):
                    roots = {names.root(alias.name) for alias in aliases}
                case ast.ImportFrom(module=str(module), level=0):
                    roots = {names.root(module)}
                case _:
                    continue
            if roots & packages:
                return index
        return None

    def _end_of_group(self, index: int) -> int:
        """The last of the imports that follow each other from this one on."""
        while index + 1 < len(self._body) and isinstance(self._body[index + 1], _IMPORTS):
            index += 1
        return index

    def _below_what_matters(self, use: int, end: int) -> int:
        """The statement behind which the import goes, -1 for the top; raises Unfit if a later one may matter."""
        decisive = [index for index in range(end) if self._may_matter(index)]
        if self._is_changed_in_functions or any(index > use for index in decisive):
            raise Unfit
        lowest = max((index for index in decisive if index < use), default=-1)
        for index in range(lowest + 1, use):
            if isinstance(self._body[index], _IMPORTS):
                return self._end_of_group(index)
        return 0 if lowest < 0 and self._has_docstring else lowest

    @property
    def _has_docstring(self) -> bool:
        first = self._body[0]
        return isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)

    def _behind(self, anchor: int, use: int, statement: str) -> Edit:
        newline = self._positions.newline
        following = first_line(self._body[anchor + 1]) if anchor + 1 < len(self._body) else len(self._positions) + 1
        # A magic of a notebook, which a `pass` may stand for, takes no text at its end.
        if anchor < 0 or (anchor < use and self._stands_for_magic(anchor)):
            start = self._positions.start(following)
            return Edit(Region(start, start), statement + newline)
        last = self._positions.region(self._body[anchor]).end
        if anchor < use and first_line(self._body[use]) == self._positions.number(last):
            raise Unfit
        end = self._positions.line_end(last)
        return Edit(Region(end, end), newline + statement)

    def _stands_for_magic(self, index: int) -> bool:
        return any(isinstance(node, ast.Pass) for node in _run_at_import(self._body[index]))

    def _may_matter(self, index: int) -> bool:
        """Whether a statement may decide what a later import loads."""
        statement = self._body[index]
        if isinstance(statement, _IMPORTS):
            return False
        keras = self._first_import(_KERAS)
        decided = keras is not None and keras < index
        return self._stands_for_magic(index) or any(
            self._changes(node) or (not decided and self._is_foreign_call(node)) for node in _run_at_import(statement)
        )

    @cached_property
    def _is_changed_in_functions(self) -> bool:
        """Whether a function changes what imports depend on, whenever it is called."""
        at_import = {node for statement in self._body for node in _run_at_import(statement)}
        return any(self._changes(node) for node in ast.walk(self._syntax.tree) if node not in at_import)

    def _changes(self, node: ast.AST) -> bool:
        """Whether an expression changes the state that imports depend on, or hands it to somebody who may."""
        if isinstance(node, ast.Call):
            return self._dotted(node.func) in DECISIVE_CALLS
        if not isinstance(node, (ast.Name, ast.Attribute)) or self._dotted(node) not in DECISIVE_STATE:
            return False
        match self._syntax.parent(node):
            case ast.Subscript(ctx=ast.Load()) | ast.Compare():
                return False
            case ast.Attribute(attr=method):
                return method not in READING_METHODS
            case ast.For(iter=iterated):
                return iterated is not node
            case _:
                return True

    def _is_foreign_call(self, node: ast.AST) -> bool:
        """Whether a function of an unknown package is called: it may set the backend of Keras."""
        if not isinstance(node, ast.Call):
            return False
        package = names.root(self._dotted(node.func))
        return package not in ("", "builtins") and package not in INDIFFERENT_PACKAGES | sys.stdlib_module_names

    def _dotted(self, node: ast.expr) -> str:
        """The name of an imported or built-in thing, "" for anything else."""
        parts: list[str] = []
        while isinstance(node, ast.Attribute):
            parts.append(node.attr)
            node = node.value
        if not isinstance(node, ast.Name):
            return ""
        origin = self._imported.get(node.id, "" if parts else f"builtins.{node.id}")
        return ".".join([origin, *reversed(parts)]) if origin else ""

    @cached_property
    def _imported(self) -> dict[str, str]:
        """What the names stand for that are imported anywhere in the program."""
        found: dict[str, str] = {}
        for node in ast.walk(self._syntax.tree):
            if isinstance(node, _IMPORTS):
                found.update((name, symbol.name) for name, symbol in names.imported(node).items())
        return found


def _run_at_import(statement: ast.stmt) -> Iterator[ast.AST]:
    """The parts of a top-level statement that run with it, the bodies of functions left out."""
    pending: list[ast.AST] = [statement]
    while pending:
        node = pending.pop()
        yield node
        if isinstance(node, (ast.ClassDef, ast.ExceptHandler)):
            # Here `pass` is all that an empty body can be.
            pending.extend(child for child in ast.iter_child_nodes(node) if not isinstance(child, ast.Pass))
        elif isinstance(node, _FUNCTIONS):
            pending.extend([*getattr(node, "decorator_list", []), *node.args.defaults])
        else:
            pending.extend(ast.iter_child_nodes(node))
