"""The calls in a traced function that its operations come from, by the names under which TensorFlow runs these."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from pipelint.dynamic.capture import functions, places, symbols
from pipelint.knowledge import graph_ops
from pipelint.model.locations import Place


@dataclass(frozen=True)
class InnerCall:
    """A call that put operations into a function: a public one, or one that leaves the graph for Python."""

    name: str
    """As users know it, `tf.io.decode_jpeg`; that of the Python function where it calls one."""
    place: Place | None
    python: bool = False


class InnerCalls:
    """The calls in some functions, by their live graphs."""

    def __init__(self, graphs: Iterable[Any]) -> None:
        self._graphs = tuple(graphs)
        self._operations: dict[int, dict[str, Any]] = {}

    def running_as(self, name: str) -> InnerCall | None:
        """The call behind an operation that TensorFlow runs under this name; None where no function has it."""
        found = next((op for graph in self._graphs if (op := self._operation(name, graph)) is not None), None)
        return _call(found) if found is not None else None

    def _operation(self, name: str, graph: Any) -> Any | None:
        """The operation of this name, or the one in a function that TensorFlow has put in the place of its call.

        That one is named for both, and for what was called: `cond/then/_3/mul` is `mul` in a branch of `cond`.
        """
        own = self._by_name(graph)
        if name in own:
            return own[name]
        parts = name.split("/")
        for end in range(len(parts) - 1, 0, -1):
            caller = own.get("/".join(parts[:end]))
            called = list(graph_ops.called_graphs(caller, graph)) if caller is not None else []
            if called:
                ends = ["/".join(parts[start:]) for start in range(end, len(parts))]
                inner = (self._operation(rest, function) for rest in ends for function in called)
                return next(filter(None, inner), caller)
        return next((own[known] for known in _before_rewriting(parts) if known in own), None)

    def _by_name(self, graph: Any) -> dict[str, Any]:
        if id(graph) not in self._operations:
            self._operations[id(graph)] = {op.name: op for op in graph.get_operations()}
        return self._operations[id(graph)]


def _call(op: Any) -> InnerCall:
    call = symbols.call_behind(op)
    if op.type in graph_ops.PYTHON:
        return InnerCall(functions.python_name(op) or call.name, call.place, python=True)
    if call.name != f"tf.raw_ops.{op.type}":
        return InnerCall(call.name, call.place)
    # No public function has made it: a function of the user's is called, or a method.
    called = next((str(graph.name) for graph in graph_ops.called_graphs(op, op.graph)), None)
    return InnerCall(called or _written_at(call.place) or call.name, call.place)


def _written_at(place: Place | None) -> str | None:
    """What the user calls at a place."""
    source = places.source_of(place.path) if place is not None else None
    calls = (call for call in source.calls if source.name_of(call) == place) if source is not None else ()
    return next((ast.unparse(call.func) for call in calls), None)


def _before_rewriting(parts: list[str]) -> Iterator[str]:
    """What an operation may have been called that TensorFlow rewrote: `a/Optimizer/Rule_mul` was `a/mul`."""
    words = parts[-1].split("_")
    for start in range(1, len(words)):
        yield "/".join([*parts[:-2], "_".join(words[start:])])
