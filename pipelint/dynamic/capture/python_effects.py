"""What a Python function does, by the names that it calls: those that it reads, decodes or waits with."""

from __future__ import annotations

import ast
import builtins
import sys
from collections.abc import Iterator, Mapping
from types import FunctionType, MethodType, ModuleType

from pipelint.dynamic.capture import places
from pipelint.dynamic.capture.constants import closure_of
from pipelint.dynamic.capture.places import Origin, SourceFile
from pipelint.knowledge import names, python_calls
from pipelint.model.definitions import Cause, Effect
from pipelint.model.locations import Location
from pipelint.source.bindings import imported


def causes_in(function: FunctionType, place: Location) -> list[Cause]:
    """What the function does of note, and the user's functions that it calls; the place is for what has none."""
    return list(dict.fromkeys(_causes(function, place, set())))


def names_seen(function: FunctionType) -> dict[str, object]:
    """What stands behind the names that a function can use from outside."""
    return {**vars(builtins), **function.__globals__, **closure_of(function)}


def _causes(function: FunctionType, place: Location, seen: set[FunctionType]) -> Iterator[Cause]:
    if function in seen or places.origin(function.__code__.co_filename) not in (Origin.USER, Origin.GENERATED):
        return
    seen.add(function)
    source = places.source_of(places.path_of(function.__code__.co_filename))
    node = source.definition(function.__code__)
    if node is None:
        return
    scope = _scope(function, node)
    for call in places.calls_in(node):
        callee = places.callee(call)
        called = _object(callee, scope)
        if isinstance(called, FunctionType) and places.origin(called.__code__.co_filename) is Origin.USER:
            yield from _causes(called, place, seen)
        elif (name := _name(callee, scope)) is not None:
            name = names.canonical(name)
            if (effect := python_calls.python_effect(name)) is not None:
                yield Cause(Effect(effect), names.display(name), _place(source, call) or place)


def _place(source: SourceFile, call: ast.Call) -> Location | None:
    return source.name_of(call) if places.origin(source.path) is Origin.USER else None


def _scope(function: FunctionType, node: ast.AST) -> Mapping[str, object]:
    """The names that the function sees, those included that it imports itself from what is loaded."""
    scope = names_seen(function)
    for statement in ast.walk(node):
        if isinstance(statement, (ast.Import, ast.ImportFrom)):
            scope |= {name: _loaded(symbol.name) for name, symbol in imported(statement).items()}
    return scope


def _loaded(name: str) -> object:
    """What an import inside the function binds: a module, or what one holds."""
    owner, _, last = name.rpartition(".")
    return sys.modules.get(name) or getattr(sys.modules.get(owner), last, None)


def _object(node: ast.expr, scope: Mapping[str, object]) -> object:
    match node:
        case ast.Name(id=name):
            return scope.get(name)
        case ast.Attribute(value=value, attr=attribute):
            owner = _object(value, scope)
            return getattr(owner, attribute, None) if isinstance(owner, (ModuleType, type)) else None
        case ast.Call() if (loaded := places.loaded_name(node)) is not None:
            return scope.get(loaded)
        case _:
            return None


def _name(node: ast.expr, scope: Mapping[str, object]) -> str | None:
    """The dotted name of what is called; a method of a result counts as one of the package that gave the result."""
    found = _object(node, scope)
    if isinstance(found, ModuleType):
        return found.__name__
    if isinstance(node, ast.Attribute):
        owner = _name(node.value, scope)
        return f"{owner}.{node.attr}" if owner is not None else None
    if isinstance(node, ast.Call) and places.loaded_name(node) is None:
        maker = _name(places.callee(node), scope)
        return names.root(maker) if maker is not None else None
    if isinstance(found, MethodType) or found is None:
        return None
    name = getattr(found, "__qualname__", None)
    module = "builtins" if getattr(builtins, name or "", None) is found else getattr(found, "__module__", None)
    return f"{module}.{name}" if module and name else None
