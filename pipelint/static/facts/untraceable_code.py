"""What a function has in its text that does not do under `tf.function` what it does in Python."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from pipelint.source.bindings import bound_names
from pipelint.source.tree_walk import walk
from pipelint.static.abstract.values import Closure, FunctionNode, parameters

CHANGES_ITEMS = frozenset({"append", "extend", "insert", "pop", "popitem", "remove", "clear", "setdefault"})
"""Methods of lists and dicts that add or take away items."""

_OF_TENSORS_AND_MODELS = frozenset(
    {
        "T", "compiled_loss", "compiled_metrics", "dtype", "input", "input_shape", "inputs", "iterations", "layers",
        "learning_rate", "loss", "losses", "lr", "metrics", "name", "ndim", "non_trainable_variables", "optimizer",
        "output", "output_shape", "outputs", "shape", "size", "trainable", "trainable_variables", "trainable_weights",
        "variables", "weights",
    }
)  # fmt: skip
"""Attributes of tensors, arrays, models and optimizers that steps read."""


def of_given(function: Closure) -> Iterator[str]:
    """What it changes of the lists and dicts that it is given: a tf.function raises an error for that."""
    node = function.node
    rebound = bound_names(node.body) if not isinstance(node, ast.Lambda) else frozenset()
    given = set(parameters_by_position(function)) - rebound
    for part in walk(node):
        match part:
            case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr=change)) if change in CHANGES_ITEMS:
                changed, does = name, f"`{name}.{change}` changes"
            case ast.Subscript(ctx=ast.Store() | ast.Del(), value=ast.Name(id=name)):
                changed, does = name, f"it changes `{name}`,"
            case _:
                continue
        if changed in given:
            yield f"{does} what it is given, for which a tf.function raises an error: let it change a copy"


def of_iterations(function: Closure) -> Iterator[str]:
    """The loops of Python over what the function is given: unrolled for a list, and not possible for some tensors."""
    given = set(parameters_by_position(function))
    for part in walk(function.node):
        if isinstance(part, (ast.For, ast.comprehension)):
            over = part.iter.args if isinstance(part.iter, ast.Call) else [part.iter]
            for name in (item.id for item in over if isinstance(item, ast.Name) and item.id in given):
                yield f"a loop of Python goes through `{name}`"


def of_statements(node: FunctionNode) -> Iterator[str]:
    """The statements that a graph does not do at all, or does once."""
    own = bound_names(node.body) if not isinstance(node, ast.Lambda) else frozenset()
    for part in walk(node):
        match part:
            case ast.Try():
                yield "it catches exceptions, and the operations of a graph run after the `try` is left"
            case ast.Global(names=[name, *_]) | ast.Nonlocal(names=[name, *_]):
                yield f"it sets `{name}` outside of itself, which would happen only while it is traced"
            case ast.Yield() | ast.YieldFrom() | ast.Await():
                yield "it is a generator or coroutine"
            case ast.Attribute(ctx=ast.Store()) | ast.Subscript(ctx=ast.Store(), value=ast.Attribute()):
                yield f"it sets `{ast.unparse(part)}`, which would happen only while it is traced"
            case ast.Subscript(ctx=ast.Store(), value=ast.Name(id=name)) if name not in own:
                yield f"it sets `{ast.unparse(part)}`, which would happen only while it is traced"


def asks_for_settings(function: Closure) -> bool:
    """Whether it reads an attribute of what it is given that no tensor, model or optimizer has.

    What holds settings may be a dict of its own kind, which a tf.function tries to build anew.
    """
    given = set(parameters_by_position(function))
    called = {part.func for part in walk(function.node) if isinstance(part, ast.Call)}
    return any(
        isinstance(part, ast.Attribute)
        and isinstance(part.value, ast.Name)
        and part.value.id in given
        and part not in called
        and part.attr not in _OF_TENSORS_AND_MODELS
        for part in walk(function.node)
    )


def parameters_by_position(function: Closure) -> list[str]:
    """The names of what callers give, without the object of a method."""
    listed = [argument.arg for argument in parameters(function.node)]
    return listed[1:] if function.bound is not None and not function.is_static else listed
