"""The parts of a syntax tree: like `ast.walk`, and faster, as operators and contexts are left out: nobody asks."""

from __future__ import annotations

import ast
from functools import lru_cache

_NO_NODES = frozenset(
    {
        "arg",
        "asname",
        "attr",
        "conversion",
        "ctx",
        "id",
        "is_async",
        "kind",
        "kwd_attrs",
        "level",
        "module",
        "op",
        "ops",
    }
    | {"simple", "type_comment", "type_ignores"}
)
"""Fields of which no value is a part that can be followed: names, numbers, operators."""

_fields: dict[type[ast.AST], tuple[str, ...]] = {ast.Constant: ()}
"""The others, by the kind of node."""


def children(node: ast.AST) -> list[ast.AST]:
    """The direct parts of a node, in the order of the source but for the values of a dict, which follow its keys."""
    found: list[ast.AST] = []
    kind = type(node)
    if kind not in _fields:
        _fields[kind] = tuple(field for field in kind._fields if field not in _NO_NODES)
    for field in _fields[kind]:
        value = getattr(node, field, None)
        if isinstance(value, ast.AST):
            found.append(value)
        elif isinstance(value, list):
            found += [item for item in value if isinstance(item, ast.AST)]
    return found


def walk(node: ast.AST) -> list[ast.AST]:
    """A node and its parts at all depths, those that lie deeper behind the others."""
    nodes = [node]
    for part in nodes:
        nodes += children(part)
    return nodes


@lru_cache(maxsize=8192)
def parts(node: ast.AST) -> list[ast.AST]:
    """The same of an expression of which it is asked each time that it is evaluated."""
    return walk(node)


@lru_cache(maxsize=256)  # as many as trees are kept
def all_nodes(tree: ast.Module) -> list[ast.AST]:
    """The same of a module, once: it is asked for again and again."""
    return walk(tree)
