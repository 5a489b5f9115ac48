"""What TensorFlow's own model of a running iterator says of each dataset, and which stage that dataset belongs to."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import tensorflow as tf

from pipelint.dynamic.measure.serialized_graph import Branch
from pipelint.knowledge.graph_ops import FUSED, dataset_family

_NANOSECONDS = 1e9


@dataclass(frozen=True)
class EngineNode:
    """One dataset of a running iterator, in the model that TensorFlow's engine keeps to tune it."""

    name: str
    inputs: tuple[int, ...]
    elements: int = 0
    seconds: float = 0.0
    bytes_produced: int = 0
    buffered_elements: int = 0
    buffered_bytes: int = 0
    parallelism: float | None = None


@dataclass(frozen=True)
class Snapshot:
    """The model of a running iterator at one moment."""

    nodes: Mapping[int, EngineNode]
    output: int
    parameters: tuple[float, ...]
    """What is tuned, as it is used now."""

    @property
    def elements(self) -> int:
        """How many elements have come out."""
        return self.nodes[self.output].elements


def snapshot(iterator: Any) -> Snapshot:
    """Ask the engine; raises tf.errors.NotFoundError where the options turn autotuning off."""
    model = tf.data.experimental.get_model_proto(iterator)
    nodes = {key: _node(node) for key, node in model.nodes.items()}
    tuned = tuple(
        parameter.state_value
        for key in sorted(model.nodes)
        for parameter in model.nodes[key].parameters
        if parameter.tunable
    )
    return Snapshot(nodes, model.output, tuned)


def _node(node: Any) -> EngineNode:
    parallelism = [parameter.state_value for parameter in node.parameters if parameter.name == "parallelism"]
    return EngineNode(
        name=node.name,
        inputs=tuple(node.inputs),
        elements=node.num_elements,
        seconds=node.processing_time / _NANOSECONDS,
        bytes_produced=node.bytes_produced,
        buffered_elements=node.buffered_elements,
        buffered_bytes=node.buffered_bytes,
        parallelism=parallelism[0] if parallelism else None,
    )


def assign(snapshot: Snapshot, tree: Branch) -> dict[int, list[Branch]]:
    """The datasets of the graph that each node of the engine stands for; a fused one stands for two."""
    found: dict[int, list[Branch]] = {}
    pending: list[tuple[int, Branch]] = [(snapshot.output, tree)]
    while pending:
        key, branch = pending.pop()
        node = snapshot.nodes.get(key)
        if node is None:
            continue
        parts = _parts_of(node, branch)
        if not parts:
            # The engine's own: the root, an inserted prefetch, the inside of a cache.
            pending += [(child, branch) for child in node.inputs]
            continue
        found[key] = parts
        pending += _children(snapshot, node, parts[-1])
    return found


def _parts_of(node: EngineNode, branch: Branch) -> list[Branch]:
    """The branch that a node stands for: this one, or the first above it where TensorFlow dropped some."""
    families = FUSED.get(dataset_family(node.name), (dataset_family(node.name),))
    for candidate in _straight_up(branch):
        parts = _matched(candidate, families)
        if parts:
            return parts
    return []


def _matched(branch: Branch, families: tuple[str, ...]) -> list[Branch]:
    parts: list[Branch] = []
    for expected in families:
        if dataset_family(branch.op) != expected:
            return []
        parts.append(branch)
        branch = branch.inputs[0] if branch.inputs else Branch("", "", None)
    return parts


def _straight_up(branch: Branch) -> Iterator[Branch]:
    yield branch
    while len(branch.inputs) == 1 and not branch.inner:
        branch = branch.inputs[0]
        yield branch


def _children(snapshot: Snapshot, node: EngineNode, branch: Branch) -> list[tuple[int, Branch]]:
    """Pairs each input of a node with the dataset that it is: an input as written, or one that a function returned."""
    children = sorted(child for child in node.inputs if child in snapshot.nodes)
    if not branch.inner:
        return _paired(snapshot, children, branch.inputs)
    pairs: list[tuple[int, Branch]] = []
    expected = list(branch.inputs)
    for child in children:
        # The inputs as written are made first and so have the lowest numbers, unless they are exhausted.
        if expected and _parts_of(snapshot.nodes[child], expected[0]):
            pairs.append((child, expected.pop(0)))
        else:
            pairs.append((child, branch.inner[0]))
    return pairs


def _paired(snapshot: Snapshot, children: list[int], inputs: list[Branch]) -> list[tuple[int, Branch]]:
    if len(children) == len(inputs):
        return list(zip(children, inputs, strict=True))
    pairs = []
    left = list(inputs)
    for child in children:
        match = next((part for part in left if _parts_of(snapshot.nodes[child], part)), left[0] if left else None)
        if match is not None:
            left.remove(match)
            pairs.append((child, match))
    return pairs


@dataclass
class Totals:
    """What the nodes of one dataset of the graph have added up to."""

    elements: float = 0.0
    seconds: float = 0.0
    bytes_produced: float = 0.0

    def add(self, node: EngineNode, before: EngineNode | None) -> None:
        """Add what a node did since it was last seen."""
        self.elements += node.elements - (before.elements if before else 0)
        self.seconds += node.seconds - (before.seconds if before else 0.0)
        self.bytes_produced += node.bytes_produced - (before.bytes_produced if before else 0)

    def join(self, other: Totals) -> None:
        """Add what another count came to."""
        self.elements += other.elements
        self.seconds += other.seconds
        self.bytes_produced += other.bytes_produced

    def scale(self, factor: float) -> None:
        """Account for what was not seen."""
        self.elements *= factor
        self.seconds *= factor
        self.bytes_produced *= factor


@dataclass
class Tally:
    """Adds up snapshots: nodes come and go with the files of an interleave and the epochs of a repeat."""

    tree: Branch
    _totals: dict[Branch, Totals] = field(default_factory=lambda: defaultdict(Totals))
    _last: dict[int, EngineNode] = field(default_factory=dict)

    def restart(self) -> None:
        """A new iterator numbers its nodes from the start."""
        self._last = {}

    def add(self, seen: Snapshot) -> None:
        """Count what has happened since the last snapshot."""
        assigned = assign(seen, self.tree)
        for key, node in seen.nodes.items():
            parts = assigned.get(key)
            before = self._last.get(key)
            self._last[key] = node
            if parts:
                self._totals[parts[-1]].add(node, before)

    def take(self) -> dict[Branch, Totals]:
        """What was counted; counting begins anew.

        What went unseen between two looks is made up for.
        """
        self._complete()
        counted, self._totals = self._totals, defaultdict(Totals)
        return dict(counted)

    def _complete(self) -> None:
        """A repeat and what flattens give just what goes into them; what is missing there was dropped unseen."""
        for branch in self.tree.walk():
            given = self._totals.get(branch)
            for part in (*branch.inner, *(branch.inputs if dataset_family(branch.op) == "repeat" else ())):
                seen = self._totals.get(part)
                if given and seen and 0 < seen.elements < given.elements:
                    for piece in part.walk():
                        if piece in self._totals:
                            self._totals[piece].scale(given.elements / seen.elements)
