"""Which functions, classes and methods of some modules code leads to, by the names that are mentioned there."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from pipelint.source.tree_walk import kept_with_tree, walk

Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_BY_ANY_NAME = frozenset({"eval", "exec", "globals", "locals", "vars"})
"""Builtins with which code gets to what it does not name."""


@dataclass(eq=False)
class _Piece:
    """Statements that run as a whole, once something leads to them."""

    nodes: Sequence[ast.stmt]
    definition: Definition | None = None
    """The function, class or method that they are; None for what runs whenever its surroundings do."""
    parts: list[_Piece] = field(default_factory=list)
    """The methods of a class of which all callers are in sight, and what else stands in it."""

    @property
    def mentioned(self) -> Iterator[str]:
        return (name for node in self.nodes for name in mentioned(node))


def unreached(
    defining: Sequence[ast.Module],
    using: Iterable[ast.Module],
    may_be_registered: Callable[[Definition], bool],
) -> list[Definition]:
    """The definitions of some modules that no code of these or others leads to, whatever it is called for.

    What a decorator, a base or a metaclass may register counts as reached, and so does everything where code asks for
    things by names that are made at run time.
    """
    modules = list(dict.fromkeys([*defining, *using]))
    if any(_looks_up_names(tree) for tree in modules):
        return []
    pieces = [_piece(node, may_be_registered) for tree in modules for node in tree.body]
    waiting: dict[str, list[_Piece]] = {}
    pending: list[_Piece] = []
    said: set[str] = set()
    reached: set[Definition] = set()

    def meet(piece: _Piece) -> None:
        one = piece.definition
        if one is None or one.name in said or may_be_registered(one) or _is_called_by_python(one):
            pending.append(piece)
        else:
            waiting.setdefault(one.name, []).append(piece)

    for piece in pieces:
        meet(piece)
    while pending:
        piece = pending.pop()
        if piece.definition is not None:
            reached.add(piece.definition)
        for part in piece.parts:
            meet(part)
        for name in set(piece.mentioned) - said:
            said.add(name)
            pending += waiting.pop(name, ())
    own = {node for tree in defining for node in tree.body}
    met = [piece for piece in pieces if piece.nodes[0] in own or piece.definition in own]
    return [one for piece in met for one in _left(piece, reached)]


def _left(piece: _Piece, reached: set[Definition]) -> Iterator[Definition]:
    if piece.definition is not None and piece.definition not in reached:
        yield piece.definition
        return
    for part in piece.parts:
        yield from _left(part, reached)


def _piece(node: ast.stmt, may_be_registered: Callable[[Definition], bool]) -> _Piece:
    if not isinstance(node, DEFINITIONS):
        return _Piece([node])
    if not isinstance(node, ast.ClassDef) or not is_plain(node) or may_be_registered(node):
        return _Piece([node], node)
    parts = [_Piece([part], part if isinstance(part, DEFINITIONS) else None) for part in node.body]
    return _Piece([ast.Pass()], node, parts)


def is_plain(node: Definition) -> bool:
    """Whether a class derives from nothing, so that only its name and those of its methods lead to it."""
    return (
        isinstance(node, ast.ClassDef)
        and not node.keywords
        and all(isinstance(base, ast.Name) and base.id == "object" for base in node.bases)
    )


def _is_called_by_python(node: Definition) -> bool:
    return node.name.startswith("__") and node.name.endswith("__")


@kept_with_tree
def _looks_up_names(tree: ast.Module) -> bool:
    """Whether code gets to things of its own by names that no text has."""
    return any(
        isinstance(part, ast.Call)
        and isinstance(part.func, ast.Name)
        and (
            part.func.id in _BY_ANY_NAME
            or (part.func.id == "getattr" and not (len(part.args) > 1 and isinstance(part.args[1], ast.Constant)))
        )
        for part in walk(tree)
    )


@kept_with_tree
def mentioned(node: ast.stmt) -> frozenset[str]:
    """The names that a statement uses or imports, and the texts that may name something, as those in `__all__`."""
    return frozenset(name for part in walk(node) if (name := _mentioned_by(part)) is not None)


def _mentioned_by(part: ast.AST) -> str | None:
    match part:
        case ast.Name(id=name, ctx=ast.Load()) | ast.Attribute(attr=name) | ast.Constant(value=str() as name):
            return name
        case ast.alias(name=name):
            return name
        case _:
            return None
