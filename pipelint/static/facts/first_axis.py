"""Whether a mapped function takes a batch apart again: indexes, unstacks or folds away its first axis."""

from __future__ import annotations

import ast

from pipelint.knowledge.tensors import FOLDS, FOLDS_AN_AXIS
from pipelint.source.tree_walk import walk
from pipelint.static.abstract.machine import Machine
from pipelint.static.abstract.values import Closure, FunctionNode


def takes_apart(machine: Machine, function: Closure) -> bool:
    """Whether the function, or the one that a lambda passes everything to, takes its arguments apart."""
    if _takes_apart(function.node):
        return True
    match function.node:
        case ast.Lambda(body=ast.Call(func=ast.Name(id=name))):
            called = machine.lookup(name)
            return isinstance(called, Closure) and _takes_apart(called.node)
        case _:
            return False


def _takes_apart(node: FunctionNode) -> bool:
    arguments = node.args
    names = {argument.arg for argument in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)}
    body = [node.body] if isinstance(node, ast.Lambda) else node.body
    for statement in body:
        for sub in walk(statement):
            match sub:
                case ast.Assign(targets=[ast.Tuple()], value=ast.Name(id=name)) if name in names:
                    return True
                case ast.Subscript(value=ast.Name(id=name), slice=ast.Constant(value=int()), ctx=ast.Load()):
                    if name in names:
                        return True
                case ast.Call(func=ast.Attribute(attr=called) | ast.Name(id=called), args=args, keywords=keywords):
                    folds = called in FOLDS or (called in FOLDS_AN_AXIS and _first_axis(args, keywords))
                    if folds and any(_mentions(item, names) for item in args):
                        return True
    return False


def _mentions(node: ast.expr, names: set[str]) -> bool:
    return any(isinstance(part, ast.Name) and part.id in names for part in walk(node))


def _first_axis(args: list[ast.expr], keywords: list[ast.keyword]) -> bool:
    axes = [keyword.value for keyword in keywords if keyword.arg == "axis"] or args[1:2]
    return any(isinstance(axis, ast.Constant) and axis.value == 0 for axis in axes)
