"""Which stage each dataset of a serialized graph belongs to."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pipelint.dynamic.capture import functions
from pipelint.dynamic.capture.stages import CapturedPipeline
from pipelint.dynamic.measure.serialized_graph import DatasetGraph
from pipelint.model.pipeline import Stage

StagesOfNodes = dict[tuple[str, str], Stage]
"""The stage of a node of the graph, by the function that it stands in ("" outside) and its name."""


def stages_of_nodes(graph: DatasetGraph, dataset: Any, captured: CapturedPipeline) -> StagesOfNodes:
    """Walk the live datasets and the graph side by side; what has no live dataset belongs to what takes from it."""
    stages = {id(part): stage for stage, parts in captured.parts.items() for part in parts}
    found: StagesOfNodes = {}

    pending = [(dataset, graph.end)]
    while pending:
        other, node = pending.pop()
        if id(other) in stages:
            found["", node] = stages[id(other)]
        inputs = list(other._inputs())
        if len(inputs) == 1 and inputs[0]._variant_tensor is other._variant_tensor:
            pending.append((inputs[0], node))
        else:
            # What a function refers to from outside comes behind the inputs as written.
            pending += zip([*inputs, *_referred_to(other)], graph.inputs_of(node), strict=False)
    live = [part for parts in captured.parts.values() for part in parts]
    names = {id(wrapper.function.graph): wrapper.function.name for part in live for wrapper in part._functions()}
    for part in live:
        body = getattr(part._variant_tensor, "graph", None)
        if id(body) in names:
            found[(_text(names[id(body)]), part._variant_tensor.op.name)] = stages[id(part)]
    return found


def _referred_to(dataset: Any) -> Iterator[Any]:
    """The datasets outside that the functions of a dataset take, in the order in which they take them."""
    for wrapper in dataset._functions():
        seen = {id(other._variant_tensor): other for other in functions.datasets_seen(wrapper)}
        yield from (seen[id(outside)] for outside, _ in wrapper.function.graph.captures if id(outside) in seen)


def _text(name: str | bytes) -> str:
    return name.decode() if isinstance(name, bytes) else name
