"""What happens once, while a graph is recorded, and is meant to: names of operations, lists for the time of a call."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from pipelint.model.code import Call, Count
from pipelint.source.tree_walk import walk
from pipelint.static.abstract.guards import expression_of
from pipelint.static.abstract.machine import Machine
from pipelint.static.facts.syntax_index import SyntaxIndex

_SCOPES = frozenset({"name_scope", "variable_scope"})
"""Functions whose argument names the operations under them."""
_Definition = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.Module)
_PLAIN = (ast.Expr, ast.With, ast.AsyncWith)
"""Statements that run what they hold, once."""


def mark(machine: Machine, code: SyntaxIndex) -> None:
    """Tell counters what they are read for, and lists that they are made for the call that fills them."""
    for event in machine.events:
        match event:
            case Count():
                reads = _reads_of(code, expression_of(event.target))
                reads = [node for node in reads if not event.region.holds(machine.region(node))]
                event.is_read = bool(reads)
                event.only_names = bool(reads) and all(_ends_in_a_name(code, node) for node in reads)
            case Call(on_outer_object=True) if event.trace is not None and event.region in code.calls:
                event.on_outer_object = not _is_of_one_call(code, code.calls[event.region], event.on_new_container)


def _reads_of(code: SyntaxIndex, holder: ast.expr) -> list[ast.expr]:
    """Where a variable is read, or an attribute of this name, as far as the program goes."""
    written = holder.attr if isinstance(holder, ast.Attribute) else ast.unparse(holder)
    return [node for node in code.reads.get(written, ()) if isinstance(node, type(holder))]


def _reads(node: ast.AST, written: str) -> bool:
    match node:
        case ast.Attribute(attr=name, ctx=ast.Load()) | ast.Name(id=name, ctx=ast.Load()):
            return name == written
        case _:
            return False


def _ends_in_a_name(code: SyntaxIndex, node: ast.AST, *, through_variable: bool = True) -> bool:
    """Whether a value becomes part of what names operations, directly or by way of one variable."""
    for part in _around(code, node):
        match part:
            case ast.keyword(arg="name"):
                return True
            case ast.Call(func=ast.Attribute(attr=called)) if called in _SCOPES:
                return True
            case ast.Assign(targets=[ast.Name(id=variable)]) if through_variable:
                holder = next(outer for outer in _around(code, part) if isinstance(outer, _Definition))
                reads = [inner for inner in walk(holder) if _reads(inner, variable)]
                return bool(reads) and all(_ends_in_a_name(code, read, through_variable=False) for read in reads)
    return False


def _around(code: SyntaxIndex, node: ast.AST) -> Iterator[ast.AST]:
    """What a node is a part of, from the inside out."""
    while node in code.parents:
        node = code.parents[node]
        yield node


def _is_of_one_call(code: SyntaxIndex, call: ast.Call, is_new: bool) -> bool:
    """Whether a list holds what one call puts there: the function that fills it makes or empties it.

    Whoever reads it elsewhere asks for what the last call has left, as from an attribute that each call sets.
    """
    match call.func:
        case ast.Attribute(value=ast.Attribute(attr=name)):
            holder = next(outer for outer in _around(code, call) if isinstance(outer, _Definition))
            return is_new or any(
                _runs_in_each_call(code, node, holder) or _runs_before(code, node, call)
                for node in code.emptied.get(name, ())
            )
        case _:
            return False


def _runs_in_each_call(code: SyntaxIndex, node: ast.AST, holder: ast.AST) -> bool:
    """Whether a part of a function stands under no test and in no loop of it."""
    around = _around(code, node)
    return next((outer for outer in around if not isinstance(outer, _PLAIN)), None) is holder


def _runs_before(code: SyntaxIndex, node: ast.AST, call: ast.Call) -> bool:
    """Whether a statement stands before what holds a call, in one block with it."""
    around = {call, *_around(code, call)}
    blocks = (block for block in vars(code.parents[node]).values() if isinstance(block, list) and node in block)
    return any(not around.isdisjoint(block[block.index(node) + 1 :]) for block in blocks)
