"""Whether a Python function only finds texts in tables, draws some of them or joins them into paths."""

from __future__ import annotations

import ast

from pipelint.knowledge.python_calls import PATH_TEXTS, PYTHON_RANDOM, TEXT_METHODS
from pipelint.model.values import Symbol, Value
from pipelint.source.bindings import function_names
from pipelint.static.abstract.machine import Machine
from pipelint.static.abstract.values import Arguments, Closure, Sequence
from pipelint.static.facts.dotted_names import symbol_of
from pipelint.static.facts.selection import PICKS

_METHODS = TEXT_METHODS | {"append", "decode", "get", "items", "join", "keys", "numpy", "values"}
_BUILTINS = frozenset(f"builtins.{name}" for name in ("dict", "int", "len", "list", "sorted", "str", "tuple"))


def looks_up_texts(machine: Machine, function: Closure, py_function: Arguments) -> bool:
    """Whether a function behind a py_function gives texts alone, and does nothing for them that takes time."""
    return _are_texts(py_function.get(2, "Tout")) and _looks_up(machine, function)


def _are_texts(dtypes: Value | None) -> bool:
    parts = dtypes.items if isinstance(dtypes, Sequence) else (dtypes,)
    return bool(parts) and all(part == Symbol("tensorflow.string") for part in parts)


def _looks_up(machine: Machine, function: Closure) -> bool:
    node = function.node
    body = [node.body] if isinstance(node, ast.Lambda) else node.body
    own, _ = function_names(node)
    return all(_is_cheap(machine, part, own) for statement in body for part in ast.walk(statement))


def _is_cheap(machine: Machine, part: ast.AST, own: frozenset[str]) -> bool:
    match part:
        case ast.Call(func=ast.Attribute(attr=name) as called):
            symbol = symbol_of(machine, called)
            return symbol in PATH_TEXTS or symbol.startswith(PYTHON_RANDOM) or (not symbol and name in _METHODS)
        case ast.Call(func=called):
            return symbol_of(machine, called) in _BUILTINS
        case ast.BinOp():
            # Sums of what the function is given may be of whole arrays: `size=k + spare` is of numbers around it.
            return not any(isinstance(inner, ast.Name) and inner.id in own for inner in ast.walk(part))
        case _:
            return isinstance(part, (*PICKS, ast.Attribute, ast.GeneratorExp, ast.ListComp, ast.operator))
