"""The trees of a program, indexed when something in them is first looked for."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from functools import cached_property

from pipelint.model.locations import Region
from pipelint.source.tree_walk import children, inner_parts
from pipelint.static.abstract.machine import Machine
from pipelint.static.facts.trained_objects import LISTS_OF_WEIGHTS


class SyntaxIndex:
    """From events to the code that was written, and from that to what is around it."""

    def __init__(self, machine: Machine, trees: Sequence[ast.Module]) -> None:
        self._machine = machine
        self.trees = trees

    @cached_property
    def calls(self) -> dict[Region, ast.Call]:
        """The calls by their places."""
        return {self._machine.region(node): node for node in self.nodes() if isinstance(node, ast.Call)}

    @cached_property
    def parents(self) -> dict[ast.AST, ast.AST]:
        """What each part is a direct part of."""
        return {child: node for node in (*self.trees, *self.nodes()) for child in children(node)}

    def module_of(self, node: ast.AST) -> ast.Module | None:
        """The module that holds a part, None for one out of other modules."""
        while node in self.parents:
            node = self.parents[node]
        return node if isinstance(node, ast.Module) else None

    @cached_property
    def reads(self) -> dict[str, list[ast.AST]]:
        """Where variables and attributes are read, by their names."""
        found: dict[str, list[ast.AST]] = {}
        for node in self.nodes():
            match node:
                case ast.Attribute(attr=name, ctx=ast.Load()) | ast.Name(id=name, ctx=ast.Load()):
                    found.setdefault(name, []).append(node)
        return found

    @cached_property
    def emptied(self) -> dict[str, list[ast.AST]]:
        """Where attributes are given a list of their own, or theirs is cleared, by their names."""
        found: dict[str, list[ast.AST]] = {}
        for node in self.nodes():
            match node:
                case ast.Call(func=ast.Attribute(value=ast.Attribute(attr=name), attr="clear"), args=[]):
                    found.setdefault(name, []).append(node)
                case ast.Assign(targets=targets, value=value) if _makes_list(value):
                    attributes = (target.attr for target in targets if isinstance(target, ast.Attribute))
                    for name in attributes:
                        found.setdefault(name, []).append(node)
        return found

    def nodes(self) -> Iterator[ast.AST]:
        """All parts of all trees."""
        return (node for tree in self.trees for node in inner_parts(tree))


def _makes_list(value: ast.expr) -> bool:
    """Whether each run of an expression gives a list of its own: of constants, of other items, of a model's weights."""
    match value:
        case ast.List() | ast.ListComp() | ast.Call(func=ast.Name(id="list")):
            return True
        case ast.Attribute(attr=name):
            return name in LISTS_OF_WEIGHTS
        case _:
            return False
