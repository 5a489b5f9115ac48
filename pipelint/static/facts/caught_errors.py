"""Blocks that are there to fail: what they raise is caught by the `with` around them."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from pipelint.model.code import Call, Event
from pipelint.model.values import Symbol
from pipelint.source.bindings import dotted_parts
from pipelint.source.tree_walk import walk
from pipelint.static.abstract.machine import Machine
from pipelint.static.abstract.values import Closure

_CATCH = frozenset({"contextlib.suppress", "pytest.raises"})


def note(machine: Machine, items: Iterable[ast.withitem], happened: Iterable[Event]) -> None:
    """Mark the calls that happened in the body of a `with` that catches what they raise."""
    if any(_catches(machine, item.context_expr) for item in items):
        for event in happened:
            if isinstance(event, Call):
                event.meant_to_fail = True


def _catches(machine: Machine, context: ast.expr) -> bool:
    """Whether a context manager catches exceptions: one of a library, or a generator that tries what it yields to."""
    # What is made in place would be made once more.
    if not isinstance(context, ast.Call) or dotted_parts(context.func) is None:
        return False
    match machine.evaluate(context.func):
        case Symbol(name=name):
            return name in _CATCH
        case Closure(node=ast.FunctionDef(body=body)):
            return any(isinstance(statement, ast.Try) and _tries_to_yield(statement) for statement in body)
        case _:
            return False


def _tries_to_yield(statement: ast.Try) -> bool:
    tried = (node for part in statement.body for node in walk(part))
    handled = (node for handler in statement.handlers for node in walk(handler))
    raises_again = any(isinstance(node, ast.Raise) and node.exc is None for node in handled)
    return any(isinstance(node, ast.Yield) for node in tried) and bool(statement.handlers) and not raises_again
