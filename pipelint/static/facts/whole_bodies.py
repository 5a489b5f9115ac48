"""Functions whose whole body is one statement, which tells what they are for."""

from __future__ import annotations

import ast

from pipelint.static.abstract.values import FunctionNode


def only_raises(node: FunctionNode) -> bool:
    """Whether a method leaves it to subclasses to say what it does."""
    match _statement(node):
        case ast.Raise(exc=error):
            called = error.func if isinstance(error, ast.Call) else error
            return isinstance(called, ast.Name) and called.id == "NotImplementedError"
        case _:
            return False


def handed_on_to(node: FunctionNode) -> str:
    """The method of its own object that a method is no more than another name for; "" for none."""
    given = node.args.args
    match _statement(node):
        case ast.Return(value=ast.Call(func=ast.Attribute(value=ast.Name(id=of), attr=name))):
            return name if given and given[0].arg == of else ""
        case _:
            return ""


def _statement(node: FunctionNode) -> ast.stmt | None:
    """All that a function does, but for its documentation, where that is one statement."""
    match node.body:
        case [ast.stmt() as only] | [ast.Expr(value=ast.Constant()), ast.stmt() as only]:
            return only
        case _:
            return None
