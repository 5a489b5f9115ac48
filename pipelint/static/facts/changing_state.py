"""What a program changes while it runs, and what a graph therefore must not read: it would keep the first value."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from pipelint.source.bindings import bound_names, function_names
from pipelint.source.tree_walk import children, walk
from pipelint.static.abstract.values import FunctionNode

_CONSTRUCTORS = frozenset({"__init__", "__new__", "__post_init__", "build"})
"""Methods that give attributes their first value."""
_Loop = (ast.For, ast.AsyncFor, ast.While)
_Definition = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)


@dataclass(frozen=True)
class ChangingState:
    """The variables of the module that loops and functions rebind, and the attributes that are counted or set anew."""

    variables: frozenset[str] = frozenset()
    attributes: frozenset[str] = frozenset()

    def read_by(self, node: FunctionNode) -> Iterator[str]:
        """What of it the body of a function reads, as written."""
        own, _ = function_names(node)
        for part in walk(node):
            match part:
                case ast.Name(id=name, ctx=ast.Load()) if name in self.variables and name not in own:
                    yield name
                case ast.Attribute(attr=name, ctx=ast.Load()) if name in self.attributes:
                    yield ast.unparse(part)


def changing_state(tree: ast.Module) -> ChangingState:
    """What the statements of a program change, after they have given it its first value."""
    variables: set[str] = set()
    attributes: set[str] = set()
    pending: list[tuple[ast.AST, bool]] = [(node, False) for node in tree.body]
    while pending:
        node, constructs = pending.pop()
        match node:
            case ast.Global(names=names):
                variables.update(names)
            case ast.AugAssign(target=ast.Attribute(attr=name)) if not constructs:
                attributes.add(name)
            case ast.Assign(targets=[ast.Attribute(attr=name)], value=value) if not constructs and _is_plain(value):
                attributes.add(name)
        within = node.name in _CONSTRUCTORS if isinstance(node, _Definition[:2]) else constructs
        pending.extend((child, within) for child in children(node))
    for loop in _loops_of_module(tree.body):
        variables |= bound_names([loop])
    return ChangingState(frozenset(variables), frozenset(attributes))


def _is_plain(value: ast.expr) -> bool:
    """Whether a value is written as a constant or as arithmetic, and so is no object that is made once."""
    return isinstance(value, (ast.Constant, ast.BinOp, ast.UnaryOp, ast.Compare)) and not (
        isinstance(value, ast.Constant) and value.value is None
    )


def _loops_of_module(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    pending: list[ast.AST] = list(body)
    while pending:
        node = pending.pop()
        if isinstance(node, _Loop):
            yield node
        elif not isinstance(node, _Definition):
            pending.extend(children(node))
