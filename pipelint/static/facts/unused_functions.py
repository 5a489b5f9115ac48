"""Functions that a file which runs as a program defines and never gets to."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from pipelint.model.code import Function
from pipelint.static.abstract.machine import Machine


def mark(machine: Machine, tree: ast.Module) -> None:
    """Say of functions that nothing in the file leads to them, where the file has other code that runs.

    A file that only defines things is there for those that import it, and so is what a decorator may register.
    """
    defined = [node for node in tree.body if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))]
    if not machine.main_lines and not _runs_own_code(tree):
        return
    unused: set[ast.stmt] = set()
    while True:
        mentioned = {name for node in tree.body if node not in unused for name in _mentioned(node)}
        found = {node for node in defined if node.name not in mentioned and not node.decorator_list}
        if found <= unused:
            break
        unused |= found
    for outer in unused:
        for node in ast.walk(outer):
            identity = machine.identities.get(node)
            if isinstance(identity, Function):
                identity.unused = True


def _runs_own_code(tree: ast.Module) -> bool:
    definitions = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    own = {node.name for node in tree.body if isinstance(node, definitions)}
    return any(
        isinstance(part, ast.Call) and isinstance(part.func, ast.Name) and part.func.id in own
        for node in tree.body
        if not isinstance(node, definitions)
        for part in ast.walk(node)
    )


def _mentioned(node: ast.stmt) -> Iterable[str]:
    """The names that a statement uses, and the texts that may name something, as those in `__all__`."""
    for part in ast.walk(node):
        match part:
            case ast.Name(id=name, ctx=ast.Load()) | ast.Attribute(attr=name) | ast.Constant(value=str() as name):
                yield name
