"""Calls of a training step of which nobody knows what they would do in a graph."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from pipelint.knowledge.keras import PACKAGES as KERAS_PACKAGES
from pipelint.knowledge.keras import TRACED_WITH_MODEL
from pipelint.knowledge.python_calls import OWN_METHODS, PACKAGES
from pipelint.knowledge.tensors import SHAPE_METHODS
from pipelint.model.code import Call, Trace
from pipelint.model.definitions import Class, Function, Method
from pipelint.static.facts import keras_classes
from pipelint.static.facts.syntax_index import SyntaxIndex

_KNOWN = frozenset({"tensorflow", "tensorflow_text", *KERAS_PACKAGES, *PACKAGES})
"""Packages of which it is known what their functions do in a graph."""
_NOT_FOLLOWED = "not all that it calls could be followed here"
_MOST_NAMED = 3
"""How many callees a message names."""


def doubt_of(code: SyntaxIndex, trials: Sequence[Trace]) -> str:
    """What is not known of a graph of a step, in words, where nothing in sight speaks against it; "" for nothing."""
    calls = [call for trial in trials for call in trial.calls if not _is_known(call)]
    complete = all(trial.complete for trial in trials)
    if not calls:
        return "" if complete else _NOT_FOLLOWED
    nodes = code.calls
    named: dict[str, Function | None] = {}
    for call in calls:
        if written := ast.unparse(nodes[call.region].func) if call.region in nodes else call.last_name:
            named[written] = call.function
        elif call.function is not None:
            # Of another module, where the callee has no name of its own.
            named[call.function.title] = None
    if not named:
        return _NOT_FOLLOWED
    return f"what {_listed(named, {trial.function for trial in trials})} in a graph is not known here"


def _listed(called: dict[str, Function | None], steps: set[Function | None]) -> str:
    # A method of an object that is itself one of them says nothing more.
    names = [name for name in called if not any(name.startswith(f"{other}.") for other in called)][:_MOST_NAMED]
    *others, last = (f"`{name}`" for name in names)
    inner, *more = {called[name] for name in names}
    where = f" in `{inner.title}`" if inner is not None and inner not in steps and not more else ""
    if others:
        return f"{', '.join(others)} and {last}{where} do"
    return f"{last}{where} does"


def _is_known(call: Call) -> bool:
    match call.callee:
        case Function(may_run_once=True):
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
