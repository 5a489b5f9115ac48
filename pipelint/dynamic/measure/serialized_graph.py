"""A dataset as TensorFlow serializes it, and other datasets made of it: in sequence, cut short, with small buffers."""

from __future__ import annotations

import os
from collections.abc import Collection, Container, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import tensorflow as tf
from tensorflow.python.framework import op_def_registry

from pipelint.dynamic.measure.graph_nodes import AUTOTUNE, Nodes, copy_types, is_dataset, producer
from pipelint.knowledge import graph_ops
from pipelint.knowledge.graph_ops import CACHES
from pipelint.model.pipeline import Stage

_FOREIGN = "pipelint_moved_"
"""How the names begin of what comes from another graph."""
_IN_OTHER_THREADS = "use_inter_op_parallelism"


@dataclass(eq=False)
class Branch:
    """A dataset of TensorFlow's serialized graph, which one stage of a pipeline may be several of.

    It stands on its way to the end: one that is used twice has two branches, as it has two iterators when it runs.
    """

    node: str
    """Its name in the graph."""
    op: str
    """The type of its operation, as in `pipelint.knowledge.graph_ops`."""
    stage: Stage | None
    """The stage of the user's pipeline that it is part of."""
    inputs: list[Branch] = field(default_factory=list)
    inner: list[Branch] = field(default_factory=list)
    """What its functions return, where that is a dataset."""
    functions: tuple[str, ...] = ()
    in_line: bool = False
    """Whether its function runs in the thread that calls it."""

    @property
    def parts(self) -> tuple[Branch, ...]:
        """What it is made of: its inputs, and what its functions return."""
        return (*self.inputs, *self.inner)

    def walk(self, *, inside: bool = True) -> Iterator[Branch]:
        """This branch and all that leads to it, the end first, with or without what functions return."""
        pending = [self]
        while pending:
            branch = pending.pop()
            yield branch
            pending += reversed(branch.parts if inside else branch.inputs)


class DatasetGraph:
    """The serialized graph of a dataset."""

    def __init__(self, graph: Any, element_spec: Any) -> None:
        self._graph = graph
        self._spec = element_spec

    @classmethod
    def of(cls, dataset: Any) -> DatasetGraph:
        """The graph of a live dataset; TensorFlow's errors go through where it cannot be serialized."""
        policy = tf.data.experimental.ExternalStatePolicy.IGNORE
        graph = tf.compat.v1.GraphDef()
        graph.ParseFromString(dataset._as_serialized_graph(external_state_policy=policy).numpy())
        return cls(graph, dataset.element_spec)

    def with_little_data(self) -> DatasetGraph:
        """Only the first rows of large arrays, so that copies of the graph are cheap."""
        nodes = Nodes(self._graph.node)
        for node in nodes.nodes:
            if node.op == "TensorSliceDataset":
                nodes.shorten(node)
        return self

    def copy(self) -> DatasetGraph:
        """The same graph, to be changed apart."""
        graph = tf.compat.v1.GraphDef()
        graph.CopyFrom(self._graph)
        return DatasetGraph(graph, self._spec)

    def dataset(self) -> Any:
        """A live dataset of this graph."""
        from tensorflow.python.data.ops import dataset_ops

        variant = tf.raw_ops.DatasetFromGraph(graph_def=self._graph.SerializeToString())
        return dataset_ops._VariantDataset(variant, self._spec)

    @property
    def end(self) -> str:
        """The name of the last dataset."""
        return str(self._end_node().input[0])

    def _end_node(self) -> Any:
        return next(node for node in self._graph.node if node.op == "_Retval")

    def cut_at(self, node: str, group: int) -> DatasetGraph:
        """The part of the graph that ends at this node, its elements in groups, so that taking them costs little."""
        shorter = self.copy()
        part = Nodes(shorter._graph.node)
        last = part.named(node)
        size, one, whole = part.constant(group), part.constant(1), part.constant(False)
        window = part.add("WindowDataset", last, (node, size, size, one, whole))
        shorter._end_node().input[0] = window
        shorter._spec = part.hold_datasets(window)
        return shorter

    def in_sequence(self, *, in_line: bool = True) -> DatasetGraph:
        """The same elements made one after the other: nothing parallel, nothing fetched ahead.

        All in one thread, unless functions shall be called as they are otherwise.
        """
        changed = self.copy()
        for part in changed._parts():
            for node in part.nodes:
                part.make_sequential(node)
                if in_line and node.op == "MapDataset" and part.function is None and self._runs_anywhere(node):
                    # Else each call goes to another thread and back, which costs more the busier the machine is.
                    node.attr[_IN_OTHER_THREADS].b = False
            part.bypass(lambda node: node.op == "PrefetchDataset")
        return changed

    def _runs_anywhere(self, node: Any) -> bool:
        """Whether TensorFlow can run a function in the thread that calls it: not with loops or branches in it."""
        return not any(
            str(operation.op).endswith(graph_ops.CONTROL_FLOW) for operation in self.ops_of(_functions(node))
        )

    def in_parallel(self, readers: Container[str]) -> DatasetGraph:
        """Everything parallel that can be, as far as TensorFlow finds it good, and fetched ahead at the end.

        Of the datasets that flatten, only these read several files and may read them at once.
        """
        changed = self.copy()
        part = Nodes(changed._graph.node)
        for node in list(part.nodes):
            part.make_parallel(node, reads_files=node.name in readers)
        end = changed._end_node()
        end.input[0] = part.add("PrefetchDataset", part.named(self.end), (self.end, part.constant(AUTOTUNE)))
        return changed

    def with_small_shuffles(self, most: int) -> DatasetGraph:
        """Shuffle buffers of no more than so many elements, which fill at once."""
        changed = self.copy()
        for part in changed._parts():
            for node in [node for node in part.nodes if node.op in graph_ops.SHUFFLE_BUFFERS]:
                part.limit(node, graph_ops.SHUFFLE_BUFFERS[node.op], most)
        return changed

    def in_one_order(self) -> DatasetGraph:
        """One epoch without shuffles, so that its elements come in the order of their source each time."""
        changed = self.copy()
        for part in changed._parts():
            endless = {node.name for node in part.nodes if part.repeats_without_end(node)}
            part.bypass(partial(_only_orders, endless))
        return changed

    def without_caches(self) -> DatasetGraph:
        """Every epoch as the first one."""
        changed = self.copy()
        for part in changed._parts():
            part.bypass(lambda node: node.op in CACHES)
        return changed

    def with_small_caches(self, most: int, directory: str = "") -> DatasetGraph:
        """Endless epochs over caches of so few elements that they fill soon, apart from the user's own caches.

        With a directory, those that keep elements in files keep them in files there.
        """
        changed = self.copy()
        for part in changed._parts():
            for node in [node for node in part.nodes if node.op in CACHES]:
                taken = part.add("TakeDataset", node, (node.input[0], part.constant(most)))
                in_file = directory and part.text_of(node.input[1])
                del node.input[:]
                node.input.extend([taken, part.text(os.path.join(directory, node.name) if in_file else "")])
                node.op = "CacheDataset"
                part.repeat(node)
        return changed

    def without_end(self) -> DatasetGraph:
        """Endless sources, so that no dataset is exhausted and takes what the engine knew of it along."""
        changed = self.copy()
        part = Nodes(changed._graph.node)
        pending, ending = [(self.end, False)], dict[str, None]()
        while pending:
            name, first_of_several = pending.pop()
            node, inputs = part.named(name), self.inputs_of(name)
            # What is joined to others behind its end has to end.
            joined = first_of_several or node.op == "ConcatenateDataset"
            if not first_of_several and (not inputs or node.op in graph_ops.ENDING_DATASETS):
                ending[name] = None
            pending += [(key, joined) for key in inputs]
        for name in ending:
            part.repeat(part.named(name))
        return changed

    def before(self, node: str, maps: Collection[str], element_spec: Any) -> DatasetGraph:
        """What leads to a node, without these maps on the way; what stands between must pass elements on as they are.

        The specification is that of what the farthest of the maps takes.
        """
        changed = self.copy()
        part = Nodes(changed._graph.node)
        *between, source = self._way_up(node, maps)
        for name in between:
            copy_types(part.named(source), part.named(name))
        changed._end_node().input[0] = self.inputs_of(node)[0]
        part.bypass(lambda other: other.name in maps)
        changed._spec = element_spec
        return changed

    def behind(self, node: str, other: DatasetGraph) -> DatasetGraph:
        """What comes behind a node, with another graph in place of the node and of what leads to it."""
        changed = self.copy()
        part = Nodes(changed._graph.node)
        part.redirect(node, _FOREIGN + other.end)
        for foreign in other._graph.node:
            if foreign.op != "_Retval":
                added = part.nodes.add()
                added.CopyFrom(foreign)
                added.name = _FOREIGN + foreign.name
                added.input[:] = [_foreign_input(name) for name in foreign.input]
        known = {function.signature.name for function in changed._graph.library.function}
        new = [function for function in other._graph.library.function if function.signature.name not in known]
        changed._graph.library.function.extend(new)
        return changed

    def with_earlier(self, node: str, maps: Collection[str]) -> DatasetGraph:
        """A dataset that drops elements put before these maps on the way to it."""
        changed = self.copy()
        part = Nodes(changed._graph.node)
        *between, source = self._way_up(node, maps)
        dropping, farthest = part.named(node), part.named(between[-1])
        part.redirect(node, between[0])
        dropping.input[0], farthest.input[0] = source, node
        copy_types(part.named(source), dropping)
        return changed

    def with_fewer_dropped(self, node: str, most: int) -> DatasetGraph:
        """A `skip` of no more than so many elements."""
        changed = self.copy()
        part = Nodes(changed._graph.node)
        part.limit(part.named(node), 1, most)
        return changed

    def with_parallel_batch(self, node: str) -> DatasetGraph:
        """A batch that collects several batches at once; one that does so already collects them one by one."""
        changed = self.copy()
        part = Nodes(changed._graph.node)
        batch = part.named(node)
        if batch.op == "ParallelBatchDataset":
            part.make_sequential(batch)
        else:
            part.make_batch_parallel(batch)
        return changed

    def _way_up(self, node: str, maps: Collection[str]) -> list[str]:
        """The datasets before a node, nearest first, up to the one that the farthest of these maps takes from."""
        way, left = [self.inputs_of(node)[0]], set(maps)
        while left:
            left.discard(way[-1])
            way.append(self.inputs_of(way[-1])[0])
        return way

    def _parts(self) -> list[Nodes]:
        bodies = [Nodes(function.node_def, function) for function in self._graph.library.function]
        return [Nodes(self._graph.node), *bodies]

    def inputs_of(self, node: str) -> list[str]:
        """The datasets that a node of the graph takes from."""
        nodes = {part.name: part for part in self._graph.node}
        return [name for name in map(producer, nodes[node].input) if name in nodes and is_dataset(nodes[name])]

    def ops_of(self, functions: Iterable[str], without: Iterable[str] = ()) -> Iterator[Any]:
        """The nodes in the bodies of these functions and of those that they call, some left out."""
        library = {function.signature.name: function for function in self._graph.library.function}
        pending, seen = list(functions), set(without)
        while pending:
            name = pending.pop()
            if name in seen or name not in library:
                continue
            seen.add(name)
            for node in library[name].node_def:
                yield node
                pending += _functions(node)

    def changes_state(self, node: str) -> bool:
        """Whether a function of this dataset may do more than compute and look up: draw, write, run Python."""
        kinds = {str(operation.op) for operation in self.ops_of(_functions(_named(self._graph.node)[node]))}
        harmless = graph_ops.READS_STATE | graph_ops.HOLDS_FUNCTIONS
        return any(kind in graph_ops.PYTHON or _is_stateful(kind) for kind in kinds - harmless)

    def branches(self, stages: Mapping[tuple[str, str], Stage]) -> Branch:
        """The tree of datasets from the end up; `stages` tells the stage of a node, by its function ("" outside)."""
        library = {function.signature.name: function for function in self._graph.library.function}
        bodies = {name: _named(function.node_def) for name, function in library.items()}
        bodies[""] = _named(self._graph.node)

        def branch_of(function: str, name: str, taker: Stage | None) -> Branch:
            node = bodies[function][name]
            in_line = _IN_OTHER_THREADS in node.attr and not node.attr[_IN_OTHER_THREADS].b
            stage = stages.get((function, name), taker)
            return Branch(name, node.op, stage, functions=_functions(node), in_line=in_line)

        end = branch_of("", self.end, None)
        pending = [("", end)]
        while pending:
            function, branch = pending.pop()
            nodes = bodies[function]
            names = [name for name in map(producer, nodes[branch.node].input) if name in nodes]
            branch.inputs = [branch_of(function, name, branch.stage) for name in names if is_dataset(nodes[name])]
            pending += [(function, part) for part in branch.inputs]
            for called in filter(library.__contains__, branch.functions):
                returned = [branch_of(called, name, branch.stage) for name in _returned_datasets(library[called])]
                branch.inner += returned
                pending += [(called, part) for part in returned]
        return end


def _only_orders(endless: Container[str], node: Any) -> bool:
    """Whether a dataset only draws an order, or is one of those that repeat without an end."""
    return node.op in graph_ops.SHUFFLE_BUFFERS or node.name in endless


def _foreign_input(name: str) -> str:
    return f"^{_FOREIGN}{name[1:]}" if name.startswith("^") else _FOREIGN + name


def _is_stateful(kind: str) -> bool:
    definition = op_def_registry.get(kind)
    # One that a library adds is known only where that is loaded.
    return definition is None or bool(definition.is_stateful)


def _named(nodes: Any) -> dict[str, Any]:
    return {node.name: node for node in nodes}


def _functions(node: Any) -> tuple[str, ...]:
    named = [str(node.attr[key].func.name) for key in graph_ops.FUNCTION_ATTRIBUTES if key in node.attr]
    others = [
        str(function.name)
        for key, attribute in node.attr.items()
        if key not in graph_ops.FUNCTION_ATTRIBUTES
        for function in ([attribute.func] if attribute.HasField("func") else attribute.list.func)
    ]
    return tuple(name for name in (*named, *others) if name)


def _returned_datasets(function: Any) -> Iterator[str]:
    """The datasets among the results of a function, followed through the identities in front of them."""
    nodes = {node.name: node for node in function.node_def}
    for result in function.ret.values():
        name = producer(result)
        while name in nodes and nodes[name].op in ("Identity", "PartitionedCall") and nodes[name].input:
            name = producer(nodes[name].input[0])
        if name in nodes and is_dataset(nodes[name]):
            yield name
