"""Calls of a training step of which nobody knows what they would do in a graph."""

from __future__ import annotations

from collections.abc import Sequence

from pipelint.knowledge.keras import PACKAGES as KERAS_PACKAGES
from pipelint.knowledge.keras import TRACED_WITH_MODEL
from pipelint.knowledge.python_calls import OWN_METHODS, PACKAGES
from pipelint.knowledge.tensors import SHAPE_METHODS
from pipelint.model.code import Call, Trace
from pipelint.model.definitions import Class, Function, Method
from pipelint.model.values import Symbol
from pipelint.static.facts import keras_classes
from pipelint.static.facts.renewed_objects import has_variables

_KNOWN = frozenset({"tensorflow", "tensorflow_text", *KERAS_PACKAGES, *PACKAGES})
"""Packages of which it is known what their functions do in a graph."""


def is_known(trials: Sequence[Trace]) -> bool:
    """Whether all that a step does is in sight, and does the same in a graph."""
    return all(trial.complete and all(map(_is_known, trial.calls)) for trial in trials)


def _is_known(call: Call) -> bool:
    if call.symbol == "builtins.len" and call.on_tensor:
        # The length of what a graph picks out of a tensor is not known while that is traced.
        return False
    match call.callee:
        case Function(may_run_once=True):
            return False
        case Symbol(name=name) if has_variables(name):
            # A layer without weights may keep a seed, which Keras 3 has in a variable.
            return False
        case Function() | Class() | Method(owner=Class(), name="__call__"):
            # It was followed, and what it does stands beside it.
            return True
        case Method(owner=keras_classes.MODEL, name=name):
            # The program's own models may have anything in an attribute.
            return (name in TRACED_WITH_MODEL and not call.unseen) or call.updates_weights
        case Method(owner=Class() as owner, name=name) if name in TRACED_WITH_MODEL:
            return any(base.name.startswith("keras.") for base in owner.library_bases())
        case Method(owner=None, name=name) if name in OWN_METHODS or name in SHAPE_METHODS:
            return True
        case _:
            return call.library in _KNOWN or call.updates_weights
