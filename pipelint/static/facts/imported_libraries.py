"""Which libraries a program uses, and whether it is written for TensorFlow 1."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from pipelint.knowledge import names
from pipelint.knowledge.python_calls import RIVALS
from pipelint.knowledge.tensorflow_1 import EAGER, GONE_WITH_1, GRAPH_MODE, GRAPHS, ONLY_IN_1, ONLY_IN_2, SESSIONS
from pipelint.model.code import Call, Event
from pipelint.model.program import Reference
from pipelint.source.tree_walk import inner_parts
from pipelint.static.abstract.machine import Machine

_BY_HAND = frozenset(name.replace("tensorflow.compat.v1.", "tensorflow.", 1) for name in GRAPHS | SESSIONS)
"""What builds and runs graphs, as TensorFlow 1 calls it: code around these is no slip."""


def note_import(machine: Machine, node: ast.Import | ast.ImportFrom) -> None:
    """Remember which libraries are there."""
    modules = [alias.name for alias in node.names] if isinstance(node, ast.Import) else [node.module or ""]
    if isinstance(node, ast.ImportFrom) and node.level:
        return
    for module in modules:
        note_library(machine, module)


def note_library(machine: Machine, name: str) -> None:
    """Remember that the module uses the library that a dotted name begins with."""
    package = names.root(name)
    here = machine.scope.module
    here.imports_tensorflow |= package in ("tensorflow", "tensorflow_datasets")
    here.rivals |= package in RIVALS


def needs_version_2(references: Iterable[Reference]) -> bool:
    """Whether a module uses a name that TensorFlow 1 has not."""
    return any(reference.name in ONLY_IN_2 for reference in references if not reference.guarded)


def is_legacy(
    references: Iterable[Reference],
    events: Iterable[Event],
    text: str,
    tree: ast.Module,
    *,
    runs_with_2: bool,
    used_by_2: bool = False,
) -> bool:
    """Whether a module is written for TensorFlow 1, by the names that it uses without asking for the version.

    One that runs together with a module for TensorFlow 2 is none for an old name that was forgotten in it, and one that
    such a module imports is none for the old names of what TensorFlow 2 has as well.
    """
    used = {reference.name for reference in references if not reference.guarded}
    # Few files have the word, and the whole tree is walked for it.
    if used & GRAPH_MODE or (not used_by_2 and "compat" in text and _imports_only_version_1(tree)):
        return True
    if used & ONLY_IN_2:
        return False
    old = used & ONLY_IN_1
    if (old and not (runs_with_2 and old.isdisjoint(_BY_HAND))) or any(name.startswith(GONE_WITH_1) for name in used):
        return True
    graphs = used & GRAPHS or (used & SESSIONS and _runs_a_session(events))
    return bool(graphs) and not any(name.startswith(EAGER) for name in used)


def _runs_a_session(events: Iterable[Event]) -> bool:
    """Whether something is run in a session; one that is only made sets up the device."""
    runs = {f"{session}.run" for session in SESSIONS}
    return any(isinstance(event, Call) and (event.symbol in runs or "feed_dict" in event.keywords) for event in events)


def _imports_only_version_1(tree: ast.Module) -> bool:
    modules: set[str] = set()
    for node in inner_parts(tree):
        if isinstance(node, ast.Import):
            modules.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module == "tensorflow.compat":
            modules.update(f"tensorflow.compat.{alias.name}" for alias in node.names)
    return "tensorflow.compat.v1" in modules and not modules & {"tensorflow", "tensorflow.compat.v2"}
