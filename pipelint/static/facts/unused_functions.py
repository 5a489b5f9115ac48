"""Functions that a file which runs as a program defines and never gets to."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterable, Sequence

from pipelint.model.code import Call
from pipelint.model.definitions import Function
from pipelint.source.tree_walk import walk
from pipelint.static.abstract.machine import Machine
from pipelint.static.facts import network_uses


def mark(machine: Machine, trees: Sequence[ast.Module]) -> None:
    """Say of functions that nothing in the program leads to them, where their file has other code that runs.

    A file that only defines things is there for those that import it, and so is what a decorator may register.
    """
    # Only of code with a tape is it asked whether the program gets to it.
    if not any(isinstance(event, Call) and event.last_name == "GradientTape" for event in machine.events):
        return
    running = [tree for tree in trees if network_uses.main_blocks(tree) or _runs_own_code(tree)]
    if not running:
        return
    mentioned = {node: frozenset(_mentioned(node)) for tree in trees for node in tree.body}
    users = Counter(name for names in mentioned.values() for name in names)
    defined: dict[str, list[ast.stmt]] = {}
    for node in (node for tree in running for node in tree.body):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and not node.decorator_list:
            defined.setdefault(node.name, []).append(node)
    unused = [node for name, nodes in defined.items() if not users[name] for node in nodes]
    # What only an unused function mentions is unused as well; the list grows while it is gone through.
    for outer in unused:
        for name in mentioned[outer]:
            users[name] -= 1
            unused += defined.get(name, []) if not users[name] else []
    for outer in unused:
        for part in walk(outer):
            identity = machine.identities.get(part)
            if isinstance(identity, Function):
                identity.unused = True


def _runs_own_code(tree: ast.Module) -> bool:
    definitions = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    own = {node.name for node in tree.body if isinstance(node, definitions)}
    return any(
        isinstance(part, ast.Call) and isinstance(part.func, ast.Name) and part.func.id in own
        for node in tree.body
        if not isinstance(node, definitions)
        for part in walk(node)
    )


def _mentioned(node: ast.stmt) -> Iterable[str]:
    """The names that a statement uses, and the texts that may name something, as those in `__all__`."""
    for part in walk(node):
        match part:
            case ast.Name(id=name, ctx=ast.Load()) | ast.Attribute(attr=name) | ast.Constant(value=str() as name):
                yield name
