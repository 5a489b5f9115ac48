"""What a program changes at times that nobody can tell, read from its text before it is followed."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator

from pipelint.knowledge.higher_order import GROWS
from pipelint.source.bindings import function_names
from pipelint.source.tree_walk import children, kept_with_tree, walk
from pipelint.static.abstract.later_changes import Changes


@kept_with_tree
def changes_in(tree: ast.Module) -> Changes:
    """The names and attributes that functions change.

    `__init__` runs before anybody else has the object, and a name that is assigned once has no other value. A constant
    as the first value of an attribute is there to be replaced: `self.training = False` does not say what it is later.
    """
    names: set[str] = set()
    filled: set[str] = set()
    rebound: set[str] = set()
    constant: set[str] = set()
    places: Counter[str] = Counter()
    # Each node with the local names of the function around it; None outside of functions, and in `__init__`.
    pending: list[tuple[ast.AST, frozenset[str] | None]] = [(tree, None)]
    while pending:
        node, local = pending.pop()
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            local, outer = function_names(node)
            local = local if node.name != "__init__" else None
            names |= outer
        elif isinstance(node, ast.Attribute):
            if isinstance(node.ctx, ast.Store):
                places[node.attr] += 1
                rebound.update([node.attr] if local is not None else [])
        elif isinstance(node, (ast.Subscript, ast.Call)):
            match _filled(node) if local is not None else None:
                case ast.Name(id=name) if local is not None and name not in local:
                    names.add(name)
                case ast.Attribute(attr=name):
                    filled.add(name)
        elif isinstance(node, (ast.Assign, ast.AnnAssign, ast.ClassDef)):
            constant.update(_constant_attributes(node))
        pending.extend((child, local) for child in children(node))
    return Changes(
        names=frozenset(names),
        attributes=frozenset(filled | {name for name in rebound if places[name] > 1}),
        switches=frozenset(constant | {name for name, count in places.items() if count > 1}),
    )


def _filled(node: ast.Subscript | ast.Call) -> ast.expr | None:
    """What names the container that an item assignment or a call puts something into."""
    match node:
        case ast.Subscript(ctx=ast.Store(), value=owner):
            filled = owner
        case ast.Call(func=ast.Attribute(attr=method, value=owner)) if method in GROWS:
            filled = owner
        case _:
            return None
    while isinstance(filled, ast.Subscript):
        filled = filled.value
    return filled


def _constant_attributes(node: ast.Assign | ast.AnnAssign | ast.ClassDef) -> Iterator[str]:
    """The attributes that a statement gives a constant, in a method or as the body of a class."""
    match node:
        case ast.Assign(targets=targets, value=value) if _is_constant(value):
            found = [part for target in targets for part in walk(target)]
            yield from (part.attr for part in found if isinstance(part, ast.Attribute))
        case ast.AnnAssign(target=ast.Attribute(attr=name), value=ast.expr() as value) if _is_constant(value):
            yield name
        case ast.ClassDef(body=body):
            for statement in body:
                match statement:
                    case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
                        yield name


def _is_constant(node: ast.expr) -> bool:
    match node:
        case ast.Constant():
            return True
        case ast.UnaryOp(operand=operand):
            return _is_constant(operand)
        case ast.Tuple(elts=items):
            return any(map(_is_constant, items))
        case _:
            return False
