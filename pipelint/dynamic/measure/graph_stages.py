"""Which stage each dataset of a serialized graph belongs to."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pipelint.dynamic.capture import functions
from pipelint.dynamic.capture.stages import CapturedPipeline
from pipelint.dynamic.measure.serialized_graph import DatasetGraph

Labels = dict[tuple[str, str], int]
"""The stage of a node of the graph, by the function that it stands in ("" outside) and its name."""


def label(graph: DatasetGraph, dataset: Any, captured: CapturedPipeline) -> Labels:
    """Walk the live datasets and the graph side by side; what has no live dataset belongs to what takes from it."""
    stages = {id(part): stage for stage, parts in captured.parts.items() for part in parts}
    labels: Labels = {}

    def follow(live: Any, node: str) -> None:
        if id(live) in stages:
            labels[("", node)] = stages[id(live)]
        inputs = list(live._inputs())
        if len(inputs) == 1 and inputs[0]._variant_tensor is live._variant_tensor:
            follow(inputs[0], node)
            return
        # What a function refers to from outside comes behind the inputs as written.
        for part, name in zip([*inputs, *_referred_to(live)], graph.inputs_of(node), strict=False):
            follow(part, name)

    follow(dataset, graph.end)
    live = [part for parts in captured.parts.values() for part in parts]
    names = {id(wrapper.function.graph): wrapper.function.name for part in live for wrapper in part._functions()}
    for part in live:
        body = getattr(part._variant_tensor, "graph", None)
        if id(body) in names:
            labels[(_text(names[id(body)]), part._variant_tensor.op.name)] = stages[id(part)]
    return labels


def _referred_to(dataset: Any) -> Iterator[Any]:
    """The datasets outside that the functions of a dataset take, in the order in which they take them."""
    for wrapper in dataset._functions():
        seen = {id(other._variant_tensor): other for other in functions.datasets_seen(wrapper)}
        yield from (seen[id(outside)] for outside, _ in wrapper.function.graph.captures if id(outside) in seen)


def _text(name: str | bytes) -> str:
    return name.decode() if isinstance(name, bytes) else name
