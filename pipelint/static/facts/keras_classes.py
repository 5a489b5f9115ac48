"""Which symbols and which classes of the user are Keras models and layers, and what Keras traces of them."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from pipelint.knowledge import names
from pipelint.knowledge.keras import MODEL_CLASSES, MODEL_MAKERS, PACKAGES, STAR_FUNCTIONS, STAR_MODULES, TRACED_METHODS
from pipelint.knowledge.python_calls import OTHER_LAYERS
from pipelint.knowledge.tensors import STATIC_MODULES, STATIC_RESULTS
from pipelint.knowledge.words import NETWORK_CLASS
from pipelint.model.code import TraceKind
from pipelint.model.values import UNKNOWN, Symbol, Value
from pipelint.static.abstract.values import ClassValue

MODEL = Symbol("keras.Model")


def exports(module: str, name: str) -> bool:
    """Whether `from module import *` may bring this name; only modules whose names are known count."""
    return module in STAR_MODULES and (name[:1].isupper() or name in STAR_FUNCTIONS)


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
    if cls is None or name not in TRACED_METHODS or not is_network(cls):
        return None
    return TraceKind(TRACED_METHODS[name])


def outside_bases(cls: ClassValue) -> Iterator[str]:
    """The bases, at any depth, that come from a library."""
    for ancestor in cls.ancestry():
        for base in ancestor.bases:
            if isinstance(base, Symbol):
                yield base.name


def is_network(cls: ClassValue) -> bool:
    """Whether a class of the user is a Keras layer or model: by its bases or, if these stand elsewhere, by its look."""
    return any(is_network_class(base) for base in outside_bases(cls)) or _looks_like_network(cls)


def _looks_like_network(cls: ClassValue) -> bool:
    """Whether a class has a `call` with an input, and a base of another module whose name says layer or model."""
    ancestry = list(cls.ancestry())
    if not any(ancestor.names_tensorflow for ancestor in ancestry):
        return False
    named = any(
        isinstance(base, Symbol) or base is UNKNOWN
        for ancestor in ancestry
        for base, node in zip(ancestor.bases, ancestor.node.bases, strict=True)
        if NETWORK_CLASS.search(ast.unparse(node).partition("[")[0]) and not _foreign(base)
    )
    return named and any(_is_call(item) for ancestor in ancestry for item in ancestor.node.body)


def _foreign(base: Value) -> bool:
    return isinstance(base, Symbol) and names.root(base.name) in OTHER_LAYERS


def _is_call(node: ast.stmt) -> bool:
    if not isinstance(node, ast.FunctionDef) or node.name != "call":
        return False
    parameters = [argument.arg for argument in node.args.args]
    return len(parameters) > 1 and parameters[0] == "self" and not {"y_true", "y_pred"} & set(parameters)


def is_user_model(cls: ClassValue) -> bool:
    """Whether a class of the user is a Keras model."""
    return any(base in MODEL_CLASSES for base in outside_bases(cls))
