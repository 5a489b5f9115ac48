"""The parts of a syntax tree: like `ast.walk`, and faster, as operators and contexts are left out: nobody asks."""

from __future__ import annotations

import ast
from collections.abc import Callable
from functools import lru_cache
from typing import ParamSpec, TypeVar

_Asked = ParamSpec("_Asked")
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
_WITH_GAPS = frozenset({ast.Dict, ast.arguments, ast.Global, ast.Nonlocal})
"""Nodes with a list in which not everything is a node."""


_forget: list[Callable[[], None]] = []


def kept_with_trees(most: int) -> Callable[[Callable[_Asked, _Answer]], Callable[_Asked, _Answer]]:
    """Keep so many answers about parts of trees, until `forget_trees`: each holds the part that it is about."""

    def decorate(ask: Callable[_Asked, _Answer]) -> Callable[_Asked, _Answer]:
        kept = lru_cache(most)(ask)
        _forget.append(kept.cache_clear)
        return kept  # type: ignore[return-value]

    return decorate


def forget_trees() -> None:
    """Let go of all trees, which are large, and of what is known of their parts."""
    for forget in _forget:
        forget()


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
        nodes += children(part)
    return nodes


@kept_with_trees(8192)
def parts(node: ast.AST) -> list[ast.AST]:
    """The same of an expression of which it is asked each time that it is evaluated."""
    return walk(node)


@kept_with_trees(256)  # as many as trees are kept
def all_nodes(tree: ast.Module) -> list[ast.AST]:
    """The same of a module, once: it is asked for again and again."""
    return walk(tree)
