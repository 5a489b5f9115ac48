"""Where a program takes a time and shows it: `start = clock()`, some work, and `clock() - start` in what is printed."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from pipelint.knowledge.python_calls import TELLS
from pipelint.model.code import Timing
from pipelint.source.tree_walk import inner_parts, walk
from pipelint.static.abstract.machine import Machine


def timings(machine: Machine, tree: ast.Module) -> Iterator[Timing]:
    """The stretches between two calls of which the difference is shown, be they those of a clock or others."""
    functions = (node for node in inner_parts(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))
    for scope in (tree, *functions):
        nodes = sorted(_own_nodes(scope), key=lambda node: (node.lineno, node.col_offset))
        started = _started(nodes)
        told = {name for node in nodes for name in _told_names(node)}
        for node in nodes:
            for difference, shown in _differences(node, told):
                start, end = _ends(difference, started)
                if shown and start is not None and end is not None:
                    yield Timing(machine.region(start), machine.region(end))


def _own_nodes(scope: ast.Module | ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[ast.Assign | ast.Expr]:
    """The assignments and expressions of a body, without those of functions in it."""
    pending: list[ast.stmt] = list(scope.body)
    while pending:
        node = pending.pop()
        if isinstance(node, ast.Assign | ast.Expr):
            yield node
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            pending += [child for child in ast.iter_child_nodes(node) if isinstance(child, ast.stmt)]


def _started(nodes: list[ast.Assign | ast.Expr]) -> list[tuple[str, ast.Call]]:
    """The variables that are given the result of a call without arguments, in the order of the source."""
    return [
        (target.id, node.value)
        for node in nodes
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call) and not node.value.args
        for target in node.targets
        if isinstance(target, ast.Name)
    ]


def _told_names(node: ast.Assign | ast.Expr) -> Iterator[str]:
    """The variables in what a statement prints or logs."""
    if isinstance(node, ast.Expr) and _tells(node.value):
        yield from (part.id for part in walk(node) if isinstance(part, ast.Name))


def _tells(node: ast.expr) -> bool:
    match node:
        case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)):
            return name in TELLS
        case _:
            return False


def _differences(node: ast.Assign | ast.Expr, told: set[str]) -> Iterator[tuple[ast.BinOp, bool]]:
    """The subtractions in a statement, with whether what comes of them is shown."""
    shown = _tells(node.value) or (
        isinstance(node, ast.Assign) and any(isinstance(one, ast.Name) and one.id in told for one in node.targets)
    )
    for part in walk(node.value):
        if isinstance(part, ast.BinOp) and isinstance(part.op, ast.Sub):
            yield part, shown


def _ends(difference: ast.BinOp, started: list[tuple[str, ast.Call]]) -> tuple[ast.Call | None, ast.Call | None]:
    """The calls that gave the two sides of a subtraction: the last before it for variables."""
    line = difference.lineno

    def given(side: ast.expr) -> ast.Call | None:
        match side:
            case ast.Call(args=[]):
                return side
            case ast.Name(id=name):
                return next((call for own, call in reversed(started) if own == name and call.lineno <= line), None)
            case _:
                return None

    return given(difference.right), given(difference.left)
