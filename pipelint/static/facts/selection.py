"""Whether a mapped function only picks, renames, reshapes or rearranges parts of an element, and computes nothing."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from pipelint.knowledge.tensors import REARRANGES, SHAPES_ONLY
from pipelint.static.abstract.machine import Machine
from pipelint.static.abstract.values import Closure, FunctionNode
from pipelint.static.facts.dotted_names import symbol_of

PICKS = (
    ast.Assign, ast.Constant, ast.Delete, ast.Dict, ast.DictComp, ast.Expr, ast.For, ast.FormattedValue,
    ast.GeneratorExp, ast.If, ast.IfExp, ast.JoinedStr, ast.List, ast.ListComp, ast.Mod, ast.Mult, ast.Name, ast.Return,
    ast.Starred, ast.Slice, ast.Subscript, ast.Tuple, ast.USub, ast.comprehension, ast.expr_context, ast.keyword,
    ast.cmpop, ast.boolop, ast.Not,
)  # fmt: skip
"""What a function is made of that computes nothing: it takes an element apart and puts the parts together."""
_OF_DICTS = frozenset({"items", "keys", "pop", "values"})
_WITHOUT_WORK = _OF_DICTS | {"set_shape"}
"""Methods of dicts and tensors that add nothing to a graph."""
_CONTAINERS = frozenset({"dict", "enumerate", "list", "tuple", "zip"})
"""Builtins that hold or pass on what they are given."""


def selects(machine: Machine, function: Closure) -> bool:
    """Whether a function only picks, renames or rearranges parts of an element: `lambda image, label: image`."""
    return _selects(machine, function.node, frozenset())


def _selects(machine: Machine, node: FunctionNode, callers: frozenset[FunctionNode]) -> bool:
    if node in callers:
        return False
    statements = _statements(node)
    callers |= {node}
    keys = {name for statement in statements for part in ast.walk(statement) for name in _keys(part)}
    return all(_only_picks(machine, part, callers, keys) for statement in statements for part in ast.walk(statement))


def _statements(node: FunctionNode) -> list[ast.stmt]:
    return [ast.Return(node.body)] if isinstance(node, ast.Lambda) else node.body


def _keys(part: ast.AST) -> Iterator[str]:
    """The variables that a loop over a dict gives its keys, which are Python's and no tensors."""
    match part:
        case ast.For(
            target=ast.Name(id=key) | ast.Tuple(elts=[ast.Name(id=key), _]),
            iter=ast.Call(func=ast.Attribute(attr="items" | "keys")),
        ):
            yield key


def _only_picks(machine: Machine, part: ast.AST, callers: frozenset[FunctionNode], keys: set[str]) -> bool:
    match part:
        case ast.Call(func=ast.Attribute(attr=name) as called):
            return name in _WITHOUT_WORK or symbol_of(machine, called) in SHAPES_ONLY | REARRANGES
        case ast.Call(func=ast.Name(id=name) as called) if symbol_of(machine, called) in REARRANGES:
            return True
        case ast.Call(func=ast.Name(id=name)) if name in _CONTAINERS:
            return machine.lookup(name) is None
        case ast.Call(func=ast.Name(id=name)):
            helper = machine.lookup(name)
            return (
                isinstance(helper, Closure) and not _is_empty(helper.node) and _selects(machine, helper.node, callers)
            )
        case ast.BinOp(op=ast.Mult(), left=left, right=right):
            # A list is written out several times: `[x] * 3`.
            return any(isinstance(side, (ast.List, ast.Tuple)) for side in (left, right))
        case ast.BinOp(op=ast.Mod(), left=ast.Constant(value=str())):
            return True
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return isinstance(operand, ast.Constant)
        case ast.UnaryOp(op=ast.Not()) | ast.Compare() | ast.BoolOp():
            return _is_about(part, keys)
        case ast.Attribute(attr=name):
            return name in _WITHOUT_WORK or bool(symbol_of(machine, part))
        case ast.If(test=test) | ast.IfExp(test=test):
            return _is_about(test, keys)
        case ast.For(iter=ast.Call(func=ast.Name(id="enumerate" | "zip" as name))):
            return machine.lookup(name) is None
        case ast.For():
            return any(True for _ in _keys(part))
        case _:
            return isinstance(part, PICKS)


def _is_about(test: ast.expr, keys: set[str]) -> bool:
    """Whether Python decides a test while it traces: one of a tensor would become part of the graph."""
    match test:
        case ast.Compare(ops=[ast.Is() | ast.IsNot()], comparators=[ast.Constant(value=None)]):
            return True
    return all(part.id in keys for part in ast.walk(test) if isinstance(part, ast.Name))


def _is_empty(node: FunctionNode) -> bool:
    """Whether a helper gives back what it is given: it holds the place of work that is to come."""
    match _statements(node):
        case [ast.Return(value=ast.Name(id=name))]:
            return [argument.arg for argument in node.args.args] == [name]
        case _:
            return False
