"""Calls of a training step of which nobody knows what they would do in a graph."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from pipelint.knowledge.keras import PACKAGES as KERAS_PACKAGES
from pipelint.knowledge.keras import TRACED_WITH_MODEL, WEIGHTS
from pipelint.knowledge.python_calls import OWN_METHODS, PACKAGES
from pipelint.model.code import Call, Trace
from pipelint.model.definitions import Class, Function, Method
from pipelint.static.facts import keras_classes
from pipelint.static.facts.syntax_index import SyntaxIndex

_KNOWN = frozenset({"tensorflow", "tensorflow_text", *KERAS_PACKAGES, *PACKAGES})
"""Packages of which it is known what their functions do in a graph."""
_MOST_NAMED = 3
"""How many callees a message names."""


@dataclass(frozen=True)
class Doubt:
    """Under which condition a trace does what a step does now, where nothing in sight speaks against it."""

    condition: str = ""
    """In words; "" for none."""
    only_models: bool = False
    """Whether all of which nothing is known are models by their use."""


def doubt_of(code: SyntaxIndex, trials: Sequence[Trace]) -> Doubt:
    """What in these rehearsals nobody knows."""
    calls = [call for trial in trials for call in trial.calls if not _is_known(call)]
    complete = all(trial.complete for trial in trials)
    if not calls:
        return Doubt("" if complete else "works once all that it calls can be traced (not all of it could be followed)")
    nodes = code.calls
    written = {call: ast.unparse(nodes[call.region].func) if call.region in nodes else call.last_name for call in calls}
    models = _with_weights(code) | {written[call] for call in calls if call.unseen}
    named = {written[call]: call.function for call in calls}
    condition = f"works once {_listed(named, {trial.function for trial in trials})} is not known here)"
    return Doubt(condition, complete and named.keys() <= models)


def _listed(called: dict[str, Function | None], steps: set[Function | None]) -> str:
    # A method of an object that is itself one of them says nothing more.
    names = [name for name in called if not any(name.startswith(f"{other}.") for other in called)][:_MOST_NAMED]
    *others, last = (f"`{name}`" for name in names)
    inner, *more = {called[name] for name in names}
    where = f" in `{inner.title}`" if inner is not None and inner not in steps and not more else ""
    if others:
        return f"{', '.join(others)} and {last}{where} can be traced (what they do"
    return f"{last}{where} can be traced (what it does"


def _is_known(call: Call) -> bool:
    match call.callee:
        case Function() | Class() | Method(owner=Class(), name="__call__"):
            # It was followed, and what it does stands beside it.
            return True
        case Method(owner=keras_classes.MODEL, name=name):
            # The program's own models may have anything in an attribute.
            return (name in TRACED_WITH_MODEL and not call.unseen) or call.updates_weights
        case Method(owner=None, name=name) if name in OWN_METHODS:
            return True
        case _:
            return call.library in _KNOWN or call.updates_weights


@lru_cache(maxsize=1)
def _with_weights(code: SyntaxIndex) -> frozenset[str]:
    """What is a model or layer, whoever made it: the program takes its weights."""
    parts = (part for part in code.nodes())
    return frozenset(
        ast.unparse(part.value) for part in parts if isinstance(part, ast.Attribute) and part.attr in WEIGHTS
    )
