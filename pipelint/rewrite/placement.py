"""Where a new import may go: never above a line that may decide what the import loads.

Importing TensorFlow loads Keras and fixes its backend, so an import that comes too early changes the program. Where the
module has imported the package already, nothing is left to decide, and the import goes to that group. Elsewhere it goes
below every line that may matter, and where such a line comes later, or at an unknown time, there is no place. Nor is
there one where the module imports the package under a condition: it would depend on what was optional.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator, Set
from functools import cached_property

from pipelint.knowledge import names
from pipelint.knowledge.loading import (
    DECISIVE_CALLS,
    DECISIVE_STATE,
    INDIFFERENT_PACKAGES,
    LOADS_KERAS,
    READING_METHODS,
)
from pipelint.model.locations import Region
from pipelint.model.repair import Edit
from pipelint.rewrite.syntax import AnyFunction, Syntax, Unfit, first_line
from pipelint.source.bindings import dotted_parts, imported

_IMPORTS = (ast.Import, ast.ImportFrom)
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_INDIFFERENT = INDIFFERENT_PACKAGES | sys.stdlib_module_names


class Placement:
    """Finds places for imports at the top level of one program."""

    def __init__(self, syntax: Syntax) -> None:
        self._syntax = syntax
        self._positions = syntax.positions
        self._body = syntax.tree.body

    def new_import(self, package: str, alias: str, at: int) -> Edit:
        """The edit that imports a package under this name for its use at an offset; raises Unfit."""
        use = self._statement_at(at)
        loaded = self._first_import({package})
        runs_later = self._is_in_function(use, at)
        if loaded is not None and (loaded < use or runs_later):
            anchor = self._end_of_group(loaded)
        else:
            optional = loaded is None and self._is_loaded_sometimes(package)
            if optional or self._is_decided_inside(use, at, runs_later=runs_later):
                raise Unfit(f"`{package}` would have to be imported, which the program does only under a condition")
            anchor = self._below_what_matters(use, len(self._body) if runs_later else use)
        statement = f"import {package}" if alias == package else f"import {package} as {alias}"
        return self._behind(anchor, use, statement)

    def _statement_at(self, offset: int) -> int:
        """The position of the top-level statement that holds an offset."""
        line = self._positions.number(offset)
        return max((index for index, node in enumerate(self._body) if first_line(node) <= line), default=0)

    def _is_in_function(self, index: int, offset: int) -> bool:
        """Whether what stands at an offset of a statement runs when a function is called, not with the statement."""
        functions = (node for node in ast.walk(self._body[index]) if isinstance(node, _FUNCTIONS))
        return any(self._positions.region(node).holds(Region(offset, offset)) for node in functions)

    def _first_import(self, packages: Set[str]) -> int | None:
        """The position of the first statement that surely loads one of these packages."""
        return next((index for index, node in enumerate(self._body) if _packages(node) & packages), None)

    def _is_loaded_sometimes(self, package: str) -> bool:
        """Whether the module takes care to do without the package where it has to, or likes to."""
        return any(package in _packages(node) for statement in self._body for node in _run_at_once(statement))

    def _end_of_group(self, index: int) -> int:
        """The last of the imports that follow each other from this one on."""
        while index + 1 < len(self._body) and isinstance(self._body[index + 1], _IMPORTS):
            index += 1
        return index

    def _below_what_matters(self, use: int, end: int) -> int:
        """The statement behind which the import goes, -1 for the top; raises Unfit if one up to the end may matter."""
        decisive = [index for index in range(end) if self._may_matter(index)]
        if self._is_changed_in_functions or any(index > use for index in decisive):
            raise Unfit("the import that it needs would come before what chooses the Keras backend")
        lowest = max((index for index in decisive if index < use), default=-1)
        group = next((index for index in range(lowest + 1, use) if isinstance(self._body[index], _IMPORTS)), None)
        if group is not None:
            return self._end_of_group(group)
        return 0 if lowest < 0 and self._has_docstring else lowest

    @property
    def _has_docstring(self) -> bool:
        first = self._body[0]
        return isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)

    def _behind(self, anchor: int, use: int, statement: str) -> Edit:
        newline = self._positions.newline
        # A magic of a notebook, which a `pass` may stand for, takes no text at its end.
        if anchor < 0 or (anchor < use and self._may_be_magic(anchor)):
            start = self._above_comments(first_line(self._body[anchor + 1]))
            return Edit(Region(start, start), statement + newline)
        last = self._positions.region(self._body[anchor]).end
        if anchor < use and first_line(self._body[use]) == self._positions.number(last):
            raise Unfit("the import that it needs has no line of its own to go to")
        end = self._positions.line_end(last)
        if self._positions.text.endswith("\\", 0, end):
            raise Unfit("the import that it needs has no line of its own to go to")
        return Edit(Region(end, end), newline + statement)

    def _above_comments(self, line: int) -> int:
        """Where a line begins with the comments right above it; those at the very top are about the file."""
        number = line
        while number > 1 and self._positions.text.startswith("#", self._positions.start(number - 1)):
            number -= 1
        return self._positions.start(number if number > 1 else line)

    def _may_be_magic(self, index: int) -> bool:
        return any(isinstance(node, ast.Pass) for node in _run_at_once(self._body[index]))

    def _may_matter(self, index: int) -> bool:
        """Whether a statement may decide what a later import loads."""
        return any(self._may_decide(node, index) for node in _run_at_once(self._body[index]))

    def _is_decided_inside(self, use: int, at: int, *, runs_later: bool) -> bool:
        """Whether the top-level block around a use may decide it before the use runs."""
        block = self._body[use]
        if isinstance(block, AnyFunction) or not hasattr(block, "body"):
            return False
        statements = (node for node in ast.walk(block) if isinstance(node, ast.stmt))
        innermost = max(node.lineno for node in statements if self._positions.region(node).start <= at)
        return any(
            self._may_decide(node, use) and (runs_later or getattr(node, "lineno", 0) < innermost)
            for node in _run_at_once(block)
        )

    def _may_decide(self, node: ast.AST, index: int) -> bool:
        """Whether a part of a top-level statement may decide what a later import loads; a `pass` may be a magic."""
        if isinstance(node, ast.Pass) or self._changes(node):
            return True
        if self._keras_loaded is not None and self._keras_loaded <= index:
            return False
        if isinstance(node, _IMPORTS):
            return not _packages(node) <= _INDIFFERENT
        return self._is_foreign_call(node)

    @cached_property
    def _keras_loaded(self) -> int | None:
        return self._first_import(LOADS_KERAS)

    @cached_property
    def _is_changed_in_functions(self) -> bool:
        """Whether a function changes what imports depend on, whenever it is called."""
        at_once = {node for statement in self._body for node in _run_at_once(statement)}
        return any(self._changes(node) for node in ast.walk(self._syntax.tree) if node not in at_once)

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
        name = self._dotted(node.func)
        return bool(name) and names.root(name) not in _INDIFFERENT

    def _dotted(self, node: ast.expr) -> str:
        """The name of an imported or built-in thing, "" for anything else."""
        first, *rest = dotted_parts(node) or ("",)
        origin = self._imported.get(first, "" if rest or not first else f"builtins.{first}")
        return ".".join([origin, *rest]) if origin else ""

    @cached_property
    def _imported(self) -> dict[str, str]:
        """What the names stand for that are imported anywhere in the program."""
        found: dict[str, str] = {}
        for node in ast.walk(self._syntax.tree):
            if isinstance(node, _IMPORTS):
                found.update((name, symbol.name) for name, symbol in imported(node).items())
        return found


def _packages(statement: ast.AST) -> frozenset[str]:
    """The packages that an import statement loads; a relative one is called "" here."""
    match statement:
        case ast.Import(names=aliases):
            return frozenset(names.root(alias.name) for alias in aliases)
        case ast.ImportFrom(module=module, level=level):
            return frozenset({names.root(module) if module and not level else ""})
        case _:
            return frozenset()


def _run_at_once(statement: ast.stmt) -> Iterator[ast.AST]:
    """The parts of a top-level statement that run with it, the bodies of functions left out."""
    pending: list[ast.AST] = [statement]
    while pending:
        node = pending.pop()
        yield node
        if isinstance(node, (ast.ClassDef, ast.ExceptHandler)):
            # Here `pass` is all that an empty body can be.
            pending.extend(child for child in ast.iter_child_nodes(node) if not isinstance(child, ast.Pass))
        elif isinstance(node, _FUNCTIONS):
            pending.extend(
                [*getattr(node, "decorator_list", []), *node.args.defaults, *filter(None, node.args.kw_defaults)]
            )
        else:
            pending.extend(ast.iter_child_nodes(node))
