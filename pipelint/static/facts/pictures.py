"""Models that are run to make a picture: what they give flows into one."""

from __future__ import annotations

import ast

from pipelint.knowledge.python_calls import PLOTTING
from pipelint.model.code import Call
from pipelint.source.bindings import bound_names
from pipelint.source.tree_walk import walk
from pipelint.static.abstract.machine import Machine
from pipelint.static.facts.syntax_index import SyntaxIndex

_IMAGE = "tensorflow.summary.image"
_Definition = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.Module)


def mark(machine: Machine, written: SyntaxIndex) -> None:
    """Tell every call of a model whether what it gives, also by way of variables, becomes part of a picture."""
    calls = [event for event in machine.events if isinstance(event, Call) and event.trace is None]
    drawn = {call.region for call in calls if call.symbol == _IMAGE or call.library in PLOTTING}
    models = [call for call in calls if call.symbol == "keras.Model.__call__" and call.loops]
    if not drawn or not models:
        return
    pictures = {written.calls[region] for region in drawn if region in written.calls}
    bodies: dict[ast.AST, _Body] = {}
    for call in models:
        if (node := written.calls.get(call.region)) is not None:
            holder = _holder(node, written.parents)
            body = bodies[holder] = bodies.get(holder) or _Body(holder, pictures)
            call.pictured = body.pictures_what_is_made_of(node)


def _holder(node: ast.AST, parents: dict[ast.AST, ast.AST]) -> ast.AST:
    while not isinstance(node, _Definition):
        node = parents[node]
    return node


class _Body:
    """What the statements of a function, or of a module, make of what, and which pictures they draw."""

    def __init__(self, holder: ast.AST, pictures: set[ast.Call]) -> None:
        parts = list(walk(holder))
        self._pictures = [_Reads(part) for part in parts if part in pictures]
        filled = ((_filled(part), part) for part in parts if isinstance(part, ast.stmt))
        self._steps = [(names, _Reads(part)) for names, part in filled if names]

    def pictures_what_is_made_of(self, node: ast.Call) -> bool:
        """Whether a value is given to one of the pictures, itself or by way of variables."""
        made: set[str] = set()
        while more := {name for names, reads in self._steps if reads.any_of(node, made) for name in names} - made:
            made |= more
        return any(picture.any_of(node, made) for picture in self._pictures)


class _Reads:
    """The variables that code reads, and the calls in it."""

    def __init__(self, part: ast.AST) -> None:
        inner = list(walk(part))
        self._calls = {node for node in inner if isinstance(node, ast.Call)}
        self._names = {node.id for node in inner if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}

    def any_of(self, node: ast.Call, made: set[str]) -> bool:
        return node in self._calls or not self._names.isdisjoint(made)


def _filled(statement: ast.stmt) -> frozenset[str]:
    """The variables that a simple statement binds, or adds to."""
    match statement:
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="append" | "extend"))):
            return frozenset({name})
        case ast.Assign() | ast.AnnAssign() | ast.AugAssign():
            return bound_names([statement])
        case _:
            return frozenset()
