"""The parts of a syntax tree: like `ast.walk`, and faster, as operators and contexts are left out: nobody asks."""

from __future__ import annotations

import ast
from collections.abc import Callable
from functools import wraps
from typing import TypeVar

_Node = TypeVar("_Node", bound=ast.AST)
_Answer = TypeVar("_Answer")

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
_LEAVES = frozenset({ast.Constant, ast.Name, ast.alias})
"""Most nodes are one of these, and have no parts."""
_WITH_GAPS = frozenset({ast.Dict, ast.arguments, ast.Global, ast.Nonlocal})
"""Nodes with a list in which not everything is a node."""


def kept_with_tree(ask: Callable[[_Node], _Answer]) -> Callable[[_Node], _Answer]:
    """Keep what is known of a part of a tree with that part, as long as the tree itself is kept."""
    name = f"_{ask.__module__}.{ask.__qualname__}"

    @wraps(ask)
    def answer(node: _Node) -> _Answer:
        kept = node.__dict__
        if name not in kept:
            kept[name] = ask(node)
        known: _Answer = kept[name]
        return known

    return answer


def children(node: ast.AST) -> list[ast.AST]:
    """The direct parts of a node, in the order of the source but for the values of a dict, which follow its keys."""
    found: list[ast.AST] = []
    kind = type(node)
    fields = _fields.get(kind)
    if fields is None:
        fields = _fields[kind] = tuple(field for field in kind._fields if field not in _NO_NODES)
    for field in fields:
        value = getattr(node, field, None)
        if type(value) is list:
            found += [item for item in value if isinstance(item, ast.AST)] if kind in _WITH_GAPS else value
        elif isinstance(value, ast.AST):
            found.append(value)
    return found


def walk(node: ast.AST) -> list[ast.AST]:
    """A node and its parts at all depths, those that lie deeper behind the others."""
    nodes = [node]
    for part in nodes:
        if type(part) not in _LEAVES:
            nodes += children(part)
    return nodes


@kept_with_tree
def inner_parts(node: ast.AST) -> list[ast.AST]:
    """The parts of an expression or a module, without itself, where they are asked for again and again.

    A part that held itself would be let go with its tree only when Python looks for garbage.
    """
    return walk(node)[1:]
