"""Which symbols and which classes of the user are Keras models and layers, and what Keras traces of them."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from pipelint.knowledge import names
from pipelint.knowledge.keras import (
    MODEL_CLASSES,
    MODEL_MAKERS,
    PACKAGES,
    STEP_DRIVERS,
    TRACED_METHODS,
)
from pipelint.knowledge.python_calls import OTHER_LAYERS
from pipelint.knowledge.tensors import STATIC_MODULES, STATIC_RESULTS
from pipelint.model.code import TraceKind
from pipelint.model.values import UNKNOWN, Symbol, Value
from pipelint.source.bindings import dotted_parts
from pipelint.source.tree_walk import kept_with_tree, walk
from pipelint.static.abstract.machine import Machine
from pipelint.static.abstract.values import ClassValue
from pipelint.static.facts.dotted_names import symbol_of

MODEL = Symbol("keras.Model")


def is_model(symbol: str) -> bool:
    """Whether calling this symbol makes a Keras model."""
    if symbol in ("keras.Model", "keras.Sequential") or symbol in MODEL_MAKERS:
        return True
    package, _, rest = symbol.partition(".")
    made = rest.startswith(("applications.", "models.")) and rest.rpartition(".")[2][:1].isupper()
    return package in PACKAGES and made


def is_layer(symbol: str) -> bool:
    """Whether calling this symbol makes a Keras layer."""
    last = symbol.rpartition(".")[2]
    return names.root(symbol) in PACKAGES and ".layers." in symbol and last[:1].isupper()


def is_network_class(symbol: str) -> bool:
    """Whether a class with this base is a Keras layer or model."""
    return symbol in MODEL_CLASSES or is_layer(symbol) or is_model(symbol)


def is_static(function: str) -> bool:
    """Whether a function of TensorFlow or Keras tells what is known while tracing: shapes, types, settings."""
    return function.rpartition(".")[2] in STATIC_RESULTS or function.startswith(STATIC_MODULES)


def traced_method(cls: ClassValue | None, name: str | None) -> TraceKind | None:
    """Why Keras traces the method of this name, None where it does not."""
    if cls is None or name not in TRACED_METHODS or not is_network(cls) or _runs_step_itself(cls, name):
        return None
    kind = TraceKind(TRACED_METHODS[name])
    # What calls the object itself then gets what callers give, as Python has it.
    return None if kind is TraceKind.CALL and _replaces(cls, "__call__") else kind


def _runs_step_itself(cls: ClassValue, step: str) -> bool:
    """Whether a class has a `fit` of its own in place of Keras', which runs the step as it is written."""
    if step not in STEP_DRIVERS:
        return False
    own, *graphs = STEP_DRIVERS[step]
    used = {part.attr for ancestor in cls.ancestry() for part in walk(ancestor.node) if isinstance(part, ast.Attribute)}
    if used.intersection(graphs):
        return False
    # Keras' evaluate runs a `test_step` too; a `fit` of the program that calls the step itself has no need of it.
    return any(_replaces(cls, driver) for driver, *_ in STEP_DRIVERS.values() if driver == own or step in used)


def _replaces(cls: ClassValue, driver: str) -> bool:
    """Whether the program defines this method of a network without a call of the one that it overrides."""
    for ancestor in cls.ancestry():
        for item in ancestor.node.body:
            if isinstance(item, ast.FunctionDef) and item.name == driver:
                return not any(
                    isinstance(part, ast.Attribute) and part.attr == driver and _is_super(part.value)
                    for part in walk(item)
                )
    return False


def _is_super(node: ast.expr) -> bool:
    """Whether an expression is the object as one of its bases: `super()`, or the base by name, as `keras.Model`."""
    match node:
        case ast.Call(func=ast.Name(id="super")):
            return True
        case _:
            parts = dotted_parts(node)
            return parts is not None and parts[-1] in ("Layer", "Model")


def outside_bases(cls: ClassValue) -> Iterator[str]:
    """The bases, at any depth, that come from a library."""
    for ancestor in cls.ancestry():
        for base in ancestor.bases:
            if isinstance(base, Symbol):
                yield base.name


def is_callback(cls: ClassValue) -> bool:
    """Whether Keras calls the methods of a class of the user while it trains."""
    return any(base.startswith("keras.callbacks.") for base in outside_bases(cls))


def is_network(cls: ClassValue) -> bool:
    """Whether a class of the user is a Keras layer or model: by its bases or, if these stand elsewhere, by its body."""
    return any(is_network_class(base) for base in outside_bases(cls)) or _is_built_like_network(cls)


def _is_built_like_network(cls: ClassValue) -> bool:
    """Whether a class with a base out of sight has a `call` with an input, and does what only layers and models do."""
    ancestry = list(cls.ancestry())
    if not any(_is_out_of_sight(base) for ancestor in ancestry for base in ancestor.bases):
        return False
    has_call = any(_takes_input(item, "call") for ancestor in ancestry for item in ancestor.node.body)
    return has_call and any(ancestor.holds_layers for ancestor in ancestry)


def _is_out_of_sight(base: Value) -> bool:
    if not isinstance(base, Symbol):
        return base is UNKNOWN
    return names.root(base.name) not in OTHER_LAYERS | {"keras", "tensorflow"}


def _takes_input(node: ast.stmt, name: str) -> bool:
    return isinstance(node, ast.FunctionDef) and node.name == name and len(node.args.args) > 1


def holds_layers(machine: Machine, node: ast.ClassDef) -> bool:
    """Whether the body of a class adds weights, keeps a layer of Keras, or builds itself for the shape of its input."""
    body = _body_of(node)
    if body.adds_weights or any(is_network_class(symbol_of(machine, function)) for function in body.makers):
        return True
    if not any(_takes_input(item, "build") for item in node.body):
        return False
    return any(names.root(symbol_of(machine, name)) in ("keras", "tensorflow") for name in body.names)


class _Body(NamedTuple):
    """What is written in a class that may tell that it is a layer."""

    adds_weights: bool
    makers: Sequence[ast.expr]
    """What is called for the values of its attributes."""
    names: Sequence[ast.Name]
    """The first use of each."""


@kept_with_tree
def _body_of(node: ast.ClassDef) -> _Body:
    adds_weights = False
    makers: list[ast.expr] = []
    names_used: dict[str, ast.Name] = {}
    for part in walk(node):
        match part:
            case ast.Call(func=ast.Attribute(value=ast.Name(id="self"), attr="add_weight")):
                adds_weights = True
            case ast.Assign(targets=[ast.Attribute(value=ast.Name(id="self"))], value=ast.Call(func=function)):
                makers.append(function)
            case ast.Name(id=name):
                names_used.setdefault(name, part)
    return _Body(adds_weights, makers, list(names_used.values()))


def is_user_model(cls: ClassValue) -> bool:
    """Whether a class of the user is a Keras model."""
    return any(base in MODEL_CLASSES for base in outside_bases(cls))
