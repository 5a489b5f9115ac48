"""What happens once, while a graph is recorded, and is meant to: names of operations, lists for the time of a call."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from pipelint.model.code import Call, Count
from pipelint.static.abstract.guards import expression_of
from pipelint.static.abstract.machine import Machine
from pipelint.static.facts.syntax_index import SyntaxIndex

_SCOPES = frozenset({"name_scope", "variable_scope"})
"""Functions whose argument names the operations under them."""
_Definition = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.Module)


def mark(machine: Machine, code: SyntaxIndex) -> None:
    """Tell counters that they only make names, and lists that they are made for the call that fills them."""
    for event in machine.events:
        match event:
            case Count():
                event.only_names = _only_names(code, event)
            case Call(on_outer_object=True, on_new_container=True) if event.region in code.calls:
                event.on_outer_object = _is_read_elsewhere(code, code.calls[event.region])


def _only_names(code: SyntaxIndex, count: Count) -> bool:
    """Whether a counter is read to name operations, and for nothing else."""
    counter = expression_of(count.target)
    written = counter.attr if isinstance(counter, ast.Attribute) else count.target
    reads = code.reads.get(written, [])
    return bool(reads) and all(_ends_in_a_name(code, node) for node in reads)


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
                reads = [inner for inner in ast.walk(holder) if _reads(inner, variable)]
                return bool(reads) and all(_ends_in_a_name(code, read, through_variable=False) for read in reads)
    return False


def _around(code: SyntaxIndex, node: ast.AST) -> Iterator[ast.AST]:
    """What a node is a part of, from the inside out."""
    while node in code.parents:
        node = code.parents[node]
        yield node


def _is_read_elsewhere(code: SyntaxIndex, call: ast.Call) -> bool:
    """Whether code outside of the function that fills an attribute's list reads it, as far as the program goes."""
    match call.func:
        case ast.Attribute(value=ast.Attribute(attr=name)):
            holder = next(outer for outer in _around(code, call) if isinstance(outer, _Definition))
            return any(holder not in _around(code, node) for node in code.reads.get(name, ()))
        case _:
            return True
