"""Counters of traced code that are written as assignments: `self.n = self.n + 1`, also by way of a variable."""

from __future__ import annotations

import ast

from pipelint.source.tree_walk import walk
from pipelint.static.abstract.machine import Machine
from pipelint.static.facts import events

_Place = (ast.Name, ast.Attribute)


def note(machine: Machine, node: ast.Assign) -> None:
    """Remember an assignment that adds to what its target was before."""
    if not machine.is_traced or len(node.targets) != 1:
        return
    target = node.targets[0]
    added = _added(machine, target, node.value) if isinstance(target, _Place) else None
    if isinstance(target, _Place) and added is not None:
        events.outer_count(machine, node, target, added)


def _added(machine: Machine, target: ast.expr, value: ast.expr) -> ast.expr | None:
    """What an assignment adds to its target: in one expression, or to a variable that has its value."""
    match value:
        case ast.BinOp(left=left, right=right) if _is_same(left, target):
            return right
        case ast.BinOp(left=left, right=right) if _is_same(right, target):
            return left
        case ast.Name(id=name) if isinstance(target, ast.Attribute):
            function = machine.frames[-1].node
            parts = list(walk(function)) if function is not None else []
            copies = any(
                isinstance(part, ast.Assign) and _binds(part.targets, name) and _is_same(part.value, target)
                for part in parts
            )
            grown = (part.value for part in parts if isinstance(part, ast.AugAssign) and _binds([part.target], name))
            return next(grown, None) if copies else None
        case _:
            return None


def _binds(targets: list[ast.expr], name: str) -> bool:
    return len(targets) == 1 and isinstance(targets[0], ast.Name) and targets[0].id == name


def _is_same(expression: ast.expr, target: ast.expr) -> bool:
    """Whether an expression reads the place that an assignment writes."""
    return isinstance(expression, _Place) and ast.unparse(expression) == ast.unparse(target)
