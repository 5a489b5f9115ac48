"""Which functions, classes and methods of some modules code leads to, by the names that are mentioned there."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from pipelint.source.bindings import dotted_parts
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
    by_methods = not any(_looks_up_methods(tree) for tree in modules)
    pieces = [_piece(node, may_be_registered, by_methods) for tree in modules for node in tree.body]
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


def _piece(node: ast.stmt, may_be_registered: Callable[[Definition], bool], by_methods: bool) -> _Piece:
    if not isinstance(node, DEFINITIONS):
        return _Piece([node])
    if not by_methods or not isinstance(node, ast.ClassDef) or not is_plain(node) or may_be_registered(node):
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
    """Whether code gets to things of its modules by names that no text has."""
    modules = {name.asname or name.name.partition(".")[0] for part in walk(tree) for name in _imported(part)}
    for call in _plain_calls(tree):
        about = dotted_parts(call.args[0]) if call.args else None
        of_object = about is not None and about[0] not in modules
        match call.func:
            case ast.Name(id="getattr"):
                # A variable may be a module; what hangs on an object (`self.manager`) is another one.
                if _names_no_attribute(call) and not (of_object and about is not None and len(about) > 1):
                    return True
            case ast.Name(id=name) if name in _BY_ANY_NAME and not (name == "vars" and of_object):
                return True
    return False


@kept_with_tree
def _looks_up_methods(tree: ast.Module) -> bool:
    """Whether code gets to methods of objects by names that no text has."""
    return any(
        isinstance(call.func, ast.Name) and call.func.id == "getattr" and _names_no_attribute(call)
        for call in _plain_calls(tree)
    )


def _plain_calls(tree: ast.Module) -> Iterator[ast.Call]:
    return (part for part in walk(tree) if isinstance(part, ast.Call) and isinstance(part.func, ast.Name))


def _names_no_attribute(call: ast.Call) -> bool:
    return not (len(call.args) > 1 and isinstance(call.args[1], ast.Constant))


def _imported(part: ast.AST) -> Sequence[ast.alias]:
    return part.names if isinstance(part, (ast.Import, ast.ImportFrom)) else ()


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
