"""Models that are run to make a picture: what they give flows into one."""

from __future__ import annotations

import ast

from pipelint.knowledge.python_calls import PLOTTING
from pipelint.model.code import Call
from pipelint.source.bindings import bound_names
from pipelint.static.abstract.machine import Machine

_IMAGE = "tensorflow.summary.image"
_Definition = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.Module)


def mark(machine: Machine, tree: ast.Module) -> None:
    """Tell every call of a model whether what it gives, also by way of variables, becomes part of a picture."""
    calls = [event for event in machine.events if isinstance(event, Call) and event.trace is None]
    drawn = {call.region for call in calls if call.symbol == _IMAGE or call.library in PLOTTING}
    models = [call for call in calls if call.symbol == "keras.Model.__call__" and call.loops]
    if not drawn or not models:
        return
    nodes = {machine.region(node): node for node in ast.walk(tree) if isinstance(node, ast.Call)}
    parents = {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
    pictures = [nodes[region] for region in drawn if region in nodes]
    for call in models:
        if call.region in nodes:
            call.pictured = _flows(nodes[call.region], pictures, parents)


def _flows(node: ast.Call, pictures: list[ast.Call], parents: dict[ast.AST, ast.AST]) -> bool:
    """Whether a value is given to one of these calls in the function that computes it."""
    holder: ast.AST = node
    while not isinstance(holder, _Definition):
        holder = parents[holder]
    statements = [part for part in ast.walk(holder) if isinstance(part, ast.stmt) and not isinstance(part, _Definition)]
    made: set[str] = set()
    while more := {name for one in statements if _holds(one, node, made) for name in _filled(one)} - made:
        made |= more
    return any(_holds(picture, node, made) for picture in pictures if picture in set(ast.walk(holder)))


def _holds(part: ast.AST, node: ast.Call, made: set[str]) -> bool:
    """Whether code reads the value itself, or a variable that was made of it."""
    return any(
        inner is node or (isinstance(inner, ast.Name) and inner.id in made and isinstance(inner.ctx, ast.Load))
        for inner in ast.walk(part)
    )


def _filled(statement: ast.stmt) -> frozenset[str]:
    """The variables that a simple statement binds, or adds to."""
    match statement:
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="append" | "extend"))):
            return frozenset({name})
        case ast.Assign() | ast.AnnAssign() | ast.AugAssign():
            return bound_names([statement])
        case _:
            return frozenset()
