"""Which parts of an element a mapped function uses, and which it gives back as they are: `lambda image, label: ...`."""

from __future__ import annotations

import ast

from pipelint.source.tree_walk import walk
from pipelint.static.abstract.values import FunctionNode


def used_parts(node: FunctionNode) -> frozenset[int]:
    """The positions of the parameters that stand anywhere in a function."""
    names = {part.id for part in _parts(node) if isinstance(part, ast.Name)}
    return frozenset(at for at, name in enumerate(_parameters(node)) if name in names)


def untouched_parts(node: FunctionNode) -> frozenset[int]:
    """The positions of the parameters that are never bound anew, and that every result has in the same place."""
    parts, parameters = _parts(node), _parameters(node)
    changed = {part.id for part in parts if isinstance(part, ast.Name) and not isinstance(part.ctx, ast.Load)}
    results = (
        [node.body] if isinstance(node, ast.Lambda) else [part.value for part in parts if isinstance(part, ast.Return)]
    )
    kept = [_names(result) for result in results]
    return frozenset(
        at
        for at, name in enumerate(parameters)
        if kept and name not in changed and all(at < len(names) and names[at] == name for names in kept)
    )


def _names(result: ast.expr | None) -> list[str]:
    """The names in the tuple that a function returns, with "" for what is no name."""
    if not isinstance(result, ast.Tuple) or any(isinstance(item, ast.Starred) for item in result.elts):
        return []
    return [item.id if isinstance(item, ast.Name) else "" for item in result.elts]


def _parameters(node: FunctionNode) -> list[str]:
    return [argument.arg for argument in (*node.args.posonlyargs, *node.args.args)]


def _parts(node: FunctionNode) -> list[ast.AST]:
    body = [node.body] if isinstance(node, ast.Lambda) else node.body
    return [part for statement in body for part in walk(statement)]
