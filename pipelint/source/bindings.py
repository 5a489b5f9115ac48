"""Which names statements and functions bind, and what they name."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from pipelint.knowledge.names import canonical
from pipelint.model.values import Symbol
from pipelint.source.tree_walk import children, kept_with_tree, walk

_BLOCKS = ("body", "orelse", "finalbody", "handlers", "cases")
"""The fields that hold statements, or parts of one that do."""


def bound_names(body: Iterable[ast.stmt]) -> frozenset[str]:
    """The names that statements bind, nested blocks included and nested functions not."""
    names: set[str] = set()
    pending: list[ast.AST] = list(body)
    while pending:
        node = pending.pop()
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            names.add(node.name)
            pending.extend(node.decorator_list)
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            names.update(alias.asname or alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.Name):
            if isinstance(node.ctx, (ast.Store, ast.Del)):
                names.add(node.id)
        elif isinstance(node, (ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)):
            names.update(sub.target.id for sub in walk(node) if isinstance(sub, ast.NamedExpr))
        elif isinstance(node, ast.ExceptHandler):
            names.update([node.name] if node.name else [])
            pending.extend(node.body)
        elif isinstance(node, (ast.MatchAs, ast.MatchStar, ast.MatchMapping)):
            name = node.rest if isinstance(node, ast.MatchMapping) else node.name
            names.update([name] if name else [])
            pending.extend(children(node))
        else:
            pending.extend(children(node))
    return frozenset(names)


@kept_with_tree
def names_of_body(node: ast.For | ast.AsyncFor | ast.While | ast.ClassDef) -> frozenset[str]:
    """The names that the body of a loop or a class binds, of which it is asked each time that it is followed."""
    return bound_names(node.body)


def dotted_parts(node: ast.expr) -> tuple[str, ...] | None:
    """The names of `tf.data.AUTOTUNE` in their order; None for what does not begin with a name."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    return (node.id, *reversed(parts)) if isinstance(node, ast.Name) else None


def parameter_names(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) -> frozenset[str]:
    """The names that a call of a function binds."""
    arguments = node.args
    several = (arguments.vararg, arguments.kwarg)
    one_each = (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)
    return frozenset(argument.arg for argument in (*one_each, *several) if argument is not None)


@kept_with_tree
def function_names(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) -> tuple[frozenset[str], frozenset[str]]:
    """The local names of a function, and the names that it declares global or nonlocal."""
    parameters = parameter_names(node)
    if isinstance(node, ast.Lambda):
        return parameters, frozenset()
    outer = _declared_outside(node)
    return (parameters | bound_names(node.body)) - outer, frozenset(outer)


def _declared_outside(function: ast.FunctionDef | ast.AsyncFunctionDef) -> set[str]:
    """The names that `global` and `nonlocal` declare in a function; what those inside of it declare is theirs."""
    names: set[str] = set()
    pending: list[ast.AST] = list(function.body)
    while pending:
        statement = pending.pop()
        if isinstance(statement, (ast.Global, ast.Nonlocal)):
            names.update(statement.names)
        elif not isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            for block in _BLOCKS:
                pending += getattr(statement, block, ())
    return names


def imported(node: ast.Import | ast.ImportFrom) -> dict[str, Symbol]:
    """The names that an import statement binds; the names behind a star are not known."""
    if isinstance(node, ast.Import):
        return {
            alias.asname or alias.name.partition(".")[0]: Symbol(
                canonical(alias.name if alias.asname else alias.name.partition(".")[0])
            )
            for alias in node.names
        }
    prefix = "." * node.level + (node.module or "")
    separator = "" if prefix.endswith(".") else "."
    return {
        alias.asname or alias.name: Symbol(canonical(f"{prefix}{separator}{alias.name}"))
        for alias in node.names
        if alias.name != "*"
    }
