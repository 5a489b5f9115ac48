"""The `ast` tree of one program, indexed: the nodes that repairs speak of, by their places, and what is around them."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from functools import cached_property
from typing import TypeVar

from pipelint.model.locations import Location, Region
from pipelint.source.bindings import parameter_names
from pipelint.source.positions import Positions

Node = TypeVar("Node", bound=ast.AST)
AnyFunction = ast.FunctionDef | ast.AsyncFunctionDef
TOO_DEEP = "the expression is nested too deeply, or its chain is longer than a hundred calls"


class Unfit(Exception):  # noqa: N818 - an answer, not an error
    """The source cannot take a repair; it says why, in words that follow `no fix:`."""


class Syntax:
    """The tree of one program with the places of its nodes; worked out when first asked for."""

    def __init__(self, positions: Positions, start: int = 0) -> None:
        self.positions = positions
        self.text = positions.text
        self._start = start

    def region(self, location: Location) -> Region:
        """Where a place of the program is in this text, which may be one of several that the program has."""
        region = Region.of(location)
        return Region(region.start - self._start, region.end - self._start)

    def written(self, location: Location) -> str:
        """What stands there."""
        region = self.region(location)
        return self.text[region.start : region.end]

    @cached_property
    def tree(self) -> ast.Module:
        """All of the program."""
        return ast.parse(self.text)

    @cached_property
    def _parents(self) -> dict[ast.AST, ast.AST]:
        return {child: node for node in ast.walk(self.tree) for child in ast.iter_child_nodes(node)}

    @cached_property
    def _calls(self) -> dict[Region, ast.Call]:
        return {self.positions.region(node): node for node in self._parents if isinstance(node, ast.Call)}

    @cached_property
    def _primaries(self) -> dict[Region, ast.expr]:
        kinds = (ast.Name, ast.Attribute, ast.Subscript, ast.Call)
        return {self.positions.region(node): node for node in self._parents if isinstance(node, kinds)}

    @cached_property
    def _aliases(self) -> dict[Region, ast.alias]:
        return {self.positions.region(node): node for node in self._parents if isinstance(node, ast.alias)}

    @cached_property
    def _functions(self) -> dict[Region, AnyFunction]:
        functions = (node for node in self._parents if isinstance(node, AnyFunction))
        return {self.positions.definition_name(node): node for node in functions}

    def call_at(self, location: Location) -> ast.Call:
        """The call that stands exactly there; raises Unfit."""
        return self._found(self._calls, location)

    def primary_at(self, location: Location) -> ast.expr:
        """The name, attribute, element or call that stands exactly there, which can have an attribute; raises Unfit."""
        return self._found(self._primaries, location)

    def imported_at(self, location: Location) -> tuple[ast.ImportFrom, int]:
        """The `from ... import` that has a name there, and the position of the name in it; raises Unfit."""
        alias = self._found(self._aliases, location)
        statement = self._parents[alias]
        if not isinstance(statement, ast.ImportFrom):
            raise Unfit("the name is imported with its module")
        return statement, statement.names.index(alias)

    def function_at(self, name: Location) -> AnyFunction:
        """The function whose name stands there in its definition; raises Unfit."""
        return self._found(self._functions, name)

    def _found(self, nodes: Mapping[Region, Node], location: Location) -> Node:
        node = nodes.get(self.region(location))
        if node is None:
            raise Unfit("what is to be changed is not written out in this file")
        return node

    def parent(self, node: ast.AST) -> ast.AST | None:
        """What a node is a direct part of."""
        return self._parents.get(node)

    def statement_of(self, node: ast.AST) -> ast.stmt | None:
        """The innermost statement that holds a node."""
        current: ast.AST | None = node
        while current is not None and not isinstance(current, ast.stmt):
            current = self._parents.get(current)
        return current

    def block_of(self, statement: ast.stmt) -> list[ast.stmt]:
        """The statements that it stands among."""
        parent = self._parents.get(statement)
        for field in ("body", "orelse", "finalbody"):
            block = getattr(parent, field, None)
            if isinstance(block, list) and statement in block:
                return block
        return [statement]

    def function_around(self, node: ast.AST) -> AnyFunction | None:
        """The innermost function whose body holds the node."""
        current = self._parents.get(node)
        while current is not None and not isinstance(current, AnyFunction):
            current = self._parents.get(current)
        return current

    def is_parameter(self, node: ast.expr) -> bool:
        """Whether an expression is a name that a caller of a function around it sets."""
        if not isinstance(node, ast.Name):
            return False
        current: ast.AST | None = node
        while current is not None:
            if isinstance(current, (AnyFunction, ast.Lambda)) and node.id in parameter_names(current):
                return True
            current = self._parents.get(current)
        return False


def arguments_of(node: ast.Call) -> list[ast.expr | ast.keyword]:
    """The arguments of a call in the order in which they are written."""
    return sorted([*node.args, *node.keywords], key=lambda item: (item.lineno, item.col_offset))


def first_line(node: ast.stmt) -> int:
    """The line at which a statement begins, decorators included."""
    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    return min([node.lineno, *(item.lineno for item in decorators)])
