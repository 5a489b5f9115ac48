"""What the operations of a graph do besides computing tensors, in the words of the model's effects."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from pipelint.knowledge import graph_ops
from pipelint.knowledge.effect_table import Effects

_DECODES = re.compile(r"Decode(?!Base64)|ParseTensor$")
"""Decoders of images, sound and records."""
_FROM_A_SEED = re.compile(r"Stateless(Random(?!Get)|Multinomial|TruncatedNormal|Parameterized|Shuffle|SampleDistorted)")
"""Operations that draw from the seed which they are given."""
_VARIES = re.compile(r"(Experimental|Anonymous)?(Random|Shuffle|Sampling)")
"""Datasets that draw."""


def operation_effect(kind: str, *, is_stateful: bool) -> str:
    """The effect of an operation of this type; "" for none."""
    if kind in graph_ops.PYTHON:
        return "python"
    if kind in graph_ops.READS:
        return "read"
    if _DECODES.match(kind):
        return "decode"
    if not is_stateful or kind in graph_ops.HOLDS_FUNCTIONS:
        return ""
    return "random" if graph_ops.draws_random_numbers(kind) else "state"


def effects_of(graph: Any, *, gives_dataset: bool = False) -> Effects:
    """The effects of all operations in a graph and in the functions that they call, captured resources included.

    The operations of a dataset that it gives are stages of their own.
    """
    found = {"state"} if any(tensor.dtype.name == "resource" for tensor, _ in graph.captures) else set()
    for op, called in _operations(graph):
        # tf.data itself passes over an assert, except where a function hides it.
        if op.type == "Assert" and not called:
            continue
        if not gives_dataset or not graph_ops.makes_dataset(op.type):
            found.add(operation_effect(op.type, is_stateful=op.op_def.is_stateful))
        elif _VARIES.match(op.type):
            found.add("random")
    if "state" in found and any(_draws_from_state(op) for op, _ in _operations(graph)):
        found.add("random")
    if "random" in found:
        # Its seed is the state.
        found.discard("state")
    return frozenset(found - {""})


def _operations(graph: Any, *, called: bool = False) -> Iterator[tuple[Any, bool]]:
    """The operations, those of functions that they call included, and whether a call hides them from tf.data."""
    for op in graph.get_operations():
        yield op, called
        for inner in graph_ops.called_graphs(op, graph):
            yield from _operations(inner, called=called or op.type == "StatefulPartitionedCall")


def _draws_from_state(op: Any) -> bool:
    """Whether an operation draws from a seed that is not a constant of the graph."""
    if _FROM_A_SEED.match(op.type) is None:
        return False
    waiting, seen = list(op.inputs), set()
    while waiting:
        source = waiting.pop().op
        if source in seen:
            continue
        seen.add(source)
        if source.type == "Placeholder" or source.op_def.is_stateful:
            return True
        waiting.extend(source.inputs)
    return False
