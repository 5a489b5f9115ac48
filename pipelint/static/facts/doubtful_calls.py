"""Calls of a training step of which nobody knows what they would do in a graph."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from pipelint.knowledge.keras import PACKAGES as KERAS_PACKAGES
from pipelint.knowledge.keras import TRACED_WITH_MODEL, WEIGHTS
from pipelint.knowledge.python_calls import OWN_METHODS, PACKAGES
from pipelint.model.code import Call, Class, Function, Method, Trace
from pipelint.static.abstract.machine import Machine
from pipelint.static.facts import keras_classes

_KNOWN = frozenset({"tensorflow", "tensorflow_text", *KERAS_PACKAGES, *PACKAGES})
"""Packages of which it is known what their functions do in a graph."""


def doubts_of(machine: Machine, tree: ast.Module, trial: Trace) -> Iterator[str]:
    """Why a trace may not do what the step does now, though nothing in sight speaks against it."""
    written = {machine.region(node): node for node in ast.walk(tree) if isinstance(node, ast.Call)}
    models = _with_weights(tree)
    for event in trial.events:
        if isinstance(event, Call) and not _is_known(event):
            node = written.get(event.region)
            called = ast.unparse(node.func) if node is not None else event.last_name
            if called not in models:
                yield f"what `{called}` does is not known"
    if not trial.complete:
        yield "not all of it could be followed"


def _is_known(call: Call) -> bool:
    match call.callee:
        case Function() | Class() | Method(owner=Class(), name="__call__"):
            # It was followed, and what it does stands beside it.
            return True
        case Method(owner=keras_classes.MODEL, name=name):
            # The program's own models may have anything in an attribute.
            return name in TRACED_WITH_MODEL or call.updates_weights
        case Method(owner=None, name=name) if name in OWN_METHODS:
            return True
        case _:
            return call.library in _KNOWN or call.updates_weights


def _with_weights(tree: ast.Module) -> frozenset[str]:
    """What is a model or layer, whoever made it: the program takes its weights."""
    return frozenset(
        ast.unparse(part.value) for part in ast.walk(tree) if isinstance(part, ast.Attribute) and part.attr in WEIGHTS
    )
