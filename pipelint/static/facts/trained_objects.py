"""Objects that are models by what is done with them: their weights are what gradients are taken of and applied to."""

from __future__ import annotations

import ast

from pipelint.model.values import UNKNOWN, Value
from pipelint.source.bindings import dotted_parts, function_names
from pipelint.source.tree_walk import children, kept_with_tree, walk
from pipelint.static.abstract.machine import Machine
from pipelint.static.abstract.values import Arguments, Closure, Given, Instance, parameters

LISTS_OF_WEIGHTS = frozenset({"trainable_variables", "trainable_weights"})
"""Attributes of networks that list what is trained."""
_TRAINS = frozenset({"gradient", "apply_gradients", "minimize"})


def names_in_module(tree: ast.Module, text: str) -> frozenset[str]:
    """The objects whose weights a module trains; few modules have a word of that, and their trees are walked."""
    return trained_names(tree) if any(word in text for word in _TRAINS) else frozenset()


@kept_with_tree
def trained_names(node: ast.AST) -> frozenset[str]:
    """The objects whose weights code trains: `model` by its name, `self.model` as `.model`."""
    methods = (part.func for part in walk(node) if isinstance(part, ast.Call))
    trains = any(isinstance(method, ast.Attribute) and method.attr in _TRAINS for method in methods)
    return frozenset(_trained(node)) if trains else frozenset()


def _trained(node: ast.AST) -> set[str]:
    found: set[str] = set()
    pending = list(children(node))
    while pending:
        part = pending.pop()
        if isinstance(part, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
            local, _ = function_names(part)
            found |= {name for name in _trained(part) if name not in local}
        elif isinstance(part, ast.Attribute) and part.attr in LISTS_OF_WEIGHTS:
            match dotted_parts(part.value):
                case (name,):
                    found.add(name)
                case ("self", name):
                    found.add(f".{name}")
        else:
            pending.extend(children(part))
    return found


def named(machine: Machine, name: str, value: Value) -> Value:
    """The value of a variable: a model where nothing else is known of it and the code around it trains its weights."""
    if value is not UNKNOWN:
        return value
    node = machine.frames[-1].node
    return _model_if(value, name in (trained_names(node) if node is not None else machine.scope.module.trained))


def parameter(node: ast.AST, name: str, value: Value) -> Value:
    """The same for a parameter of this function."""
    return _model_if(value, value is UNKNOWN and name in trained_names(node))


def attribute(owner: Instance, name: str, value: Value) -> Value:
    """The same for an attribute of an object."""
    classes = owner.cls.ancestry() if owner.cls is not None else ()
    return _model_if(value, value is UNKNOWN and any(f".{name}" in trained_names(cls.node) for cls in classes))


def handed_over(machine: Machine, function: Closure, given: Arguments) -> Arguments:
    """The arguments of a call, with models for what the function trains; the caller knows them as such from here on."""
    trained = trained_names(function.node) if UNKNOWN in given.values() else frozenset()
    if not trained:
        return given
    listed = [argument.arg for argument in parameters(function.node)]
    names = listed[1:] if function.bound is not None and not function.is_static else listed

    def known(name: str, item: Given) -> Given:
        if item.value is not UNKNOWN or name not in trained:
            return item
        model = _model_if(item.value, True)
        if isinstance(item.node, (ast.Name, ast.Attribute)):
            machine.bind(item.node, model)
        return Given(model, item.node)

    positional = tuple(map(known, [*names, *[""] * len(given.positional)], given.positional))
    keywords = {name: known(name, item) for name, item in given.keywords.items()}
    return Arguments(given.node, positional, keywords, given.hides, given.tensors)


def _model_if(value: Value, trained: bool) -> Value:
    return Instance(symbol="keras.Model", exact=False) if trained and value is UNKNOWN else value
