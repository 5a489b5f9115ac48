"""Whether a mapped function computes number by number, so that it does to a batch what it does to each element."""

from __future__ import annotations

import ast

from pipelint.knowledge.tensors import ELEMENTWISE
from pipelint.source.tree_walk import walk
from pipelint.static.abstract.machine import Machine
from pipelint.static.abstract.values import Closure, FunctionNode
from pipelint.static.facts.dotted_names import symbol_of

_PARTS = (
    ast.Add, ast.Assign, ast.AugAssign, ast.Constant, ast.Dict, ast.Div, ast.Expr, ast.Mult, ast.Name, ast.Pow,
    ast.Return, ast.Sub, ast.Tuple, ast.USub, ast.UnaryOp, ast.expr_context, ast.keyword,
)  # fmt: skip
"""What such a function is made of, besides calls and operators, which are looked at."""


def is_elementwise(machine: Machine, function: Closure) -> bool:
    """Whether a function casts or scales parts of an element, each by itself, and does nothing else."""
    node = function.node
    body = [node.body] if isinstance(node, ast.Lambda) else node.body
    parts = [part for statement in body for part in walk(statement)]
    tensors = _tensors(node, parts)
    return all(_computes_alone(machine, part, tensors) for part in parts) and any(
        isinstance(part, (ast.BinOp, ast.Call)) for part in parts
    )


def _tensors(node: FunctionNode, parts: list[ast.AST]) -> set[str]:
    """The names that may hold parts of an element: all that are bound inside of the function."""
    arguments = node.args
    names = {argument.arg for argument in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)}
    return names | {part.id for part in parts if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)}


def _computes_alone(machine: Machine, part: ast.AST, tensors: set[str]) -> bool:
    match part:
        case ast.Call(func=called):
            return symbol_of(machine, called) in ELEMENTWISE and _is_of_one(part, tensors)
        case ast.BinOp():
            return _is_of_one(part, tensors)
        case ast.Attribute():
            return bool(symbol_of(machine, part))
        case ast.Subscript(slice=ast.Constant(value=key)):
            return isinstance(key, str)
        case _:
            return isinstance(part, _PARTS)


def _is_of_one(part: ast.AST, tensors: set[str]) -> bool:
    """Whether no two parts of an element meet: with another number of axes, they would in a batch no longer."""
    met = {sub.id for sub in walk(part) if isinstance(sub, ast.Name) and sub.id in tensors}
    keys = {
        sub.slice.value for sub in walk(part) if isinstance(sub, ast.Subscript) and isinstance(sub.slice, ast.Constant)
    }
    return len(met) <= 1 and len(keys) <= 1
