"""Questions about the syntax tree of one program that repairs ask."""

from __future__ import annotations

import ast
import io
import tokenize
from collections.abc import Container, Iterator
from functools import cached_property
from typing import TypeVar

from pipelint.model.locations import Region
from pipelint.rewrite.links import Link, link_of
from pipelint.source.bindings import function_names
from pipelint.source.positions import Positions

Node = TypeVar("Node", bound=ast.AST)
AnyFunction = ast.FunctionDef | ast.AsyncFunctionDef


class Syntax:
    """The tree of one program with the places of its nodes; worked out when first asked for."""

    def __init__(self, positions: Positions, tree: ast.Module) -> None:
        self.positions = positions
        self._tree = tree

    @cached_property
    def _parents(self) -> dict[ast.AST, ast.AST]:
        return {child: node for node in ast.walk(self._tree) for child in ast.iter_child_nodes(node)}

    @cached_property
    def _calls(self) -> dict[Region, ast.Call]:
        return {self.positions.region(node): node for node in self.nodes(ast.Call)}

    def nodes(self, kind: type[Node]) -> Iterator[Node]:
        """Every node of this kind."""
        return (node for node in ast.walk(self._tree) if isinstance(node, kind))

    def functions(self) -> Iterator[AnyFunction]:
        """Every function and method that is defined."""
        yield from self.nodes(ast.FunctionDef)
        yield from self.nodes(ast.AsyncFunctionDef)

    def call_at(self, region: Region) -> ast.Call | None:
        """The call that stands exactly there."""
        return self._calls.get(region)

    def link(self, node: ast.Call | None) -> Link | None:
        """The link of a method chain that a call is."""
        return link_of(self.positions, node) if node is not None else None

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
        while current is not None and not isinstance(current, (ast.FunctionDef, ast.AsyncFunctionDef)):
            current = self._parents.get(current)
        return current

    def is_parameter(self, node: ast.expr) -> bool:
        """Whether an expression is a name that a caller of the function around it sets."""
        if not isinstance(node, ast.Name):
            return False
        current: ast.AST | None = node
        while current is not None:
            if isinstance(current, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
                header = ast.Lambda(args=current.args, body=node)
                if node.id in function_names(header)[0]:
                    return True
            current = self._parents.get(current)
        return False

    def has_comment(self, region: Region) -> bool:
        """Whether there is a comment inside."""
        text = self.positions.text[region.start : region.end]
        if "#" not in text:
            return False
        try:
            tokens = list(tokenize.generate_tokens(io.StringIO(f"({text})").readline))
        except (tokenize.TokenError, SyntaxError):
            return True
        return any(token.type == tokenize.COMMENT for token in tokens)


def chain_root(node: ast.expr, methods: Container[str]) -> ast.expr:
    """What a chain of calls of these methods starts from."""
    while isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in methods:
        node = node.func.value
    return node


def is_primary(expression: str) -> bool:
    """Whether a method call can be appended to an expression as it stands."""
    try:
        node = ast.parse(expression, mode="eval").body
    except SyntaxError:
        return False
    return isinstance(node, (ast.Name, ast.Attribute, ast.Call, ast.Subscript))
