"""The tree of a program, indexed when something in it is first looked for."""

from __future__ import annotations

import ast
from functools import cached_property

from pipelint.model.locations import Region
from pipelint.static.abstract.machine import Machine


class SyntaxIndex:
    """From events to the code that was written, and from that to what is around it."""

    def __init__(self, machine: Machine, tree: ast.Module) -> None:
        self._machine = machine
        self.tree = tree

    @cached_property
    def calls(self) -> dict[Region, ast.Call]:
        """The calls by their places."""
        return {self._machine.region(node): node for node in ast.walk(self.tree) if isinstance(node, ast.Call)}

    @cached_property
    def parents(self) -> dict[ast.AST, ast.AST]:
        """What each part is a direct part of."""
        return {child: node for node in ast.walk(self.tree) for child in ast.iter_child_nodes(node)}
