"""Where a program itself chooses between versions of TensorFlow: what stands there is written for one of them."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from pipelint.source.bindings import dotted_parts

_VERSIONS = frozenset({"__version__", "VERSION"})
"""Attributes that hold a version: `tf.__version__`, `tf.version.VERSION`."""
_MODES = frozenset({"executing_eagerly", "executing_eagerly_outside_functions"})
"""Functions that programs for both versions ask which of them runs."""
_MISSING = frozenset({"AttributeError", "ImportError", "ModuleNotFoundError"})
"""What the lack of a name raises."""


def guarded(tree: ast.Module) -> list[ast.expr | ast.stmt]:
    """The statements and expressions that run only under some versions, or until a name turns out to be missing."""
    telling = _names_that_tell(tree)
    return [part for node in ast.walk(tree) for part in _guarded_by(node, telling)]


def _guarded_by(node: ast.AST, telling: frozenset[str]) -> Iterator[ast.expr | ast.stmt]:
    for _, block in ast.iter_fields(node):
        if isinstance(block, list):
            yield from _behind_a_way_out(block, telling)
    match node:
        case ast.If(test=test, body=body, orelse=orelse) if _asks(test, telling):
            yield from (*body, *orelse)
        case ast.IfExp(test=test, body=first, orelse=second) if _asks(test, telling):
            yield from (first, second)
        case ast.BoolOp(values=[first, *others]) if _asks(first, telling):
            yield from others
        case ast.Call(func=ast.Name(id="getattr"), args=[_, _, default]):
            yield default
        case ast.Try(body=body, handlers=handlers):
            handled = [statement for handler in handlers for statement in handler.body]
            # A handler for everything may be there for other reasons: then both must name the same thing.
            if any(map(_handles_a_missing_name, handlers)) or _last_names(body) & _last_names(handled):
                yield from (*body, *handled)


def _behind_a_way_out(block: list[object], telling: frozenset[str]) -> Iterator[ast.expr | ast.stmt]:
    """What follows on `if <old version>: return ...` in the same block."""
    for index, statement in enumerate(block):
        match statement:
            case ast.If(test=test, body=[*_, ast.Return() | ast.Raise()], orelse=[]) if _asks(test, telling):
                yield from (later for later in block[index + 1 :] if isinstance(later, (ast.expr, ast.stmt)))
                return


def _asks(test: ast.expr, telling: frozenset[str]) -> bool:
    """Whether a test asks for the version, or whether a name is there."""
    for node in ast.walk(test):
        match node:
            case ast.Attribute(attr=name) if name in _VERSIONS | _MODES:
                return True
            case ast.Name(id=name) if name in telling or name == "hasattr":
                return True
    return False


def _names_that_tell(tree: ast.Module) -> frozenset[str]:
    """Variables and functions that are made of a version, in the order of the source."""
    telling: frozenset[str] = frozenset()
    for node in ast.walk(tree):
        match node:
            case ast.Assign(targets=targets, value=value) if _asks(value, telling):
                named = (part for target in targets for part in ast.walk(target))
                telling |= {part.id for part in named if isinstance(part, ast.Name)}
            case ast.FunctionDef(name=name):
                returned = (part.value for part in ast.walk(node) if isinstance(part, ast.Return) and part.value)
                if any(_asks(value, telling) for value in returned):
                    telling |= {name}
    return telling


def _handles_a_missing_name(handler: ast.ExceptHandler) -> bool:
    return handler.type is not None and any(
        isinstance(part, ast.Name) and part.id in _MISSING for part in ast.walk(handler.type)
    )


def _last_names(body: Iterable[ast.stmt]) -> set[str]:
    """The last parts of dotted names that are only read, calls left out: `AUTOTUNE` of `tf.data.AUTOTUNE`."""
    nodes = [node for statement in body for node in ast.walk(statement)]
    called = {id(node.func) for node in nodes if isinstance(node, ast.Call)}
    return {
        parts[-1]
        for node in nodes
        if isinstance(node, ast.Attribute) and id(node) not in called and (parts := dotted_parts(node))
    }
