"""The nodes of a serialized dataset graph, or of one of its functions, and the changes that are made to them."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import count
from typing import Any

import tensorflow as tf

from pipelint.knowledge import graph_ops

AUTOTUNE = -1
_numbers = count()
_KEPT_BYTES = 16 << 20
"""How much of the data in memory is enough to measure with."""


@dataclass
class Nodes:
    """The nodes of the graph, or of one function, in which inputs are spelled another way."""

    nodes: Any
    function: Any = None

    def shorten(self, source: Any) -> None:
        """Keep only the first rows of data in memory, where there is much of it."""
        tensors = [self.named(producer(name)).attr["value"].tensor for name in source.input]
        rows = [tensor.tensor_shape.dim[0].size for tensor in tensors if tensor.tensor_shape.dim]
        largest = max((len(tensor.tensor_content) for tensor in tensors), default=0)
        if largest <= _KEPT_BYTES or len(set(rows)) != 1:
            return
        kept = max(1, rows[0] * _KEPT_BYTES // largest)
        for tensor in tensors:
            _keep_rows(tensor, kept)

    def make_sequential(self, node: Any) -> None:
        """Turn a parallel dataset into the sequential one."""
        known = graph_ops.SEQUENTIAL_FORMS.get(node.op)
        if known is None:
            return
        node.op = known.op
        for index in known.inputs_dropped:
            del node.input[index]
        for attribute in known.attributes_dropped:
            node.attr.pop(attribute, None)
        if node.op == "InterleaveDataset" and self._value(node.input[-2]) == AUTOTUNE:
            node.input[-2] = self.constant(tf.config.threading.get_inter_op_parallelism_threads() or 8)

    def make_parallel(self, node: Any, *, reads_files: bool) -> None:
        """Turn a sequential dataset into the parallel one, and leave the number of calls to TensorFlow."""
        if node.op == "MapDataset":
            node.op = "ParallelMapDatasetV2"
            node.input.append(self.constant(AUTOTUNE))
            node.attr.pop("force_synchronous", None)
        elif node.op == "InterleaveDataset" or (node.op == "FlatMapDataset" and reads_files):
            cycles = () if node.op == "InterleaveDataset" else (self.constant(AUTOTUNE), self.constant(1))
            node.op = "ParallelInterleaveDatasetV4"
            node.input.extend((*cycles, *(self.constant(AUTOTUNE) for _ in range(3))))
        elif node.op in ("ParallelMapDatasetV2", "ParallelInterleaveDatasetV4"):
            node.input[-1] = self.constant(AUTOTUNE)

    def make_batch_parallel(self, node: Any) -> None:
        """Let a batch collect several batches at once, as many as TensorFlow finds good."""
        node.op = "ParallelBatchDataset"
        node.input.insert(2, self.constant(AUTOTUNE))
        node.attr["deterministic"].s = b"default"

    def redirect(self, name: str, to: str) -> None:
        """Let what takes from one node take from another one."""
        for taker in self.nodes:
            for index, taken in enumerate(taker.input):
                if producer(taken) == name and not taken.startswith("^"):
                    taker.input[index] = to

    def bypass(self, unwanted: Callable[[Any], bool]) -> None:
        """Take datasets out, so that what took from them takes from their inputs."""
        replaced = {node.name: str(node.input[0]) for node in self.nodes if unwanted(node)}
        kept = [node for node in self.nodes if node.name not in replaced]

        def followed(name: str) -> str:
            while producer(name) in replaced and not name.startswith("^"):
                name = replaced[producer(name)]
            return name

        for node in kept:
            inputs = [followed(name) for name in node.input if name.lstrip("^") not in replaced or name[0] != "^"]
            del node.input[:]
            node.input.extend(inputs)
        kept_copies = [type(node).FromString(node.SerializeToString()) for node in kept]
        del self.nodes[:]
        self.nodes.extend(kept_copies)

    def repeats_without_end(self, node: Any) -> bool:
        """Whether a dataset gives its elements again and again, as far as the graph tells."""
        return node.op == "RepeatDataset" and self._value(node.input[1]) == -1

    def limit(self, node: Any, index: int, most: int) -> None:
        """Lower a number among a node's inputs."""
        given = self._value(node.input[index])
        if given is None or given > most:
            node.input[index] = self.constant(most)

    def constant(self, value: int) -> str:
        """A new node with this number or truth value, as an input names it."""
        return self._constant(tf.constant(value, tf.bool if isinstance(value, bool) else tf.int64))

    def text(self, value: str) -> str:
        """A new node with this text, as an input names it."""
        return self._constant(tf.constant(value))

    def text_of(self, name: str) -> str:
        """The text that an input names; "" where the graph does not tell."""
        found = self._known(name)
        return found.item().decode() if found is not None else ""

    def _constant(self, value: Any) -> str:
        node = self.nodes.add(name=f"pipelint_constant_{next(_numbers)}", op="Const")
        node.attr["dtype"].type = value.dtype.as_datatype_enum
        node.attr["value"].tensor.CopyFrom(tf.make_tensor_proto(value.numpy(), value.dtype))
        return f"{node.name}:output:0" if self.function is not None else str(node.name)

    def named(self, name: str) -> Any:
        """The node of this name."""
        return next(node for node in self.nodes if node.name == name)

    def repeat(self, node: Any) -> None:
        """Let what takes from a dataset take from it again and again."""
        takers = [taker for taker in self.nodes if taker.name != node.name]
        for taker in takers:
            for index, name in enumerate(taker.input):
                if producer(name) == node.name and not name.startswith("^"):
                    taker.input[index] = self._repeated(node, name)

    def _repeated(self, node: Any, name: str) -> str:
        return self.add("RepeatDataset", node, (name, self.constant(-1)))

    def add(self, op: str, like: Any, inputs: Iterable[str]) -> str:
        """A new dataset with the elements of another one, as an input names it."""
        node = self.nodes.add(name=f"pipelint_{op}_{next(_numbers)}", op=op)
        node.input.extend(inputs)
        copy_types(like, node)
        return f"{node.name}:handle:0" if self.function is not None else str(node.name)

    def hold_datasets(self, name: str) -> tuple[Any, ...]:
        """Make datasets the components of a node's elements, and give the specification of these."""
        node = self.named(name)
        components = len(node.attr["output_types"].list.type)
        for index in range(components):
            node.attr["output_types"].list.type[index] = tf.variant.as_datatype_enum
            node.attr["output_shapes"].list.shape[index].CopyFrom(tf.TensorShape([]).as_proto())
        return (tf.TensorSpec([], tf.variant),) * components

    def _value(self, name: str) -> int | None:
        found = self._known(name)
        return None if found is None else int(found)

    def _known(self, name: str) -> Any:
        """The constant that an input names, None where it is none."""
        node = next((node for node in self.nodes if node.name == producer(name) and node.op == "Const"), None)
        return None if node is None else tf.make_ndarray(node.attr["value"].tensor)


def copy_types(like: Any, node: Any) -> None:
    """Let a dataset say that its elements are those of another one."""
    # Sources and padded batches have another name for the types.
    types = "output_types" if "output_types" in like.attr else "Toutput_types"
    node.attr["output_types"].CopyFrom(like.attr[types])
    node.attr["output_shapes"].CopyFrom(like.attr["output_shapes"])


def producer(name: str) -> str:
    """The node that an input names."""
    return name.lstrip("^").partition(":")[0]


def is_dataset(node: Any) -> bool:
    """Whether a node makes a dataset."""
    return graph_ops.makes_dataset(str(node.op))


def _keep_rows(tensor: Any, kept: int) -> None:
    """Cut a tensor behind its first rows, each of which stays whole."""
    rows = tensor.tensor_shape.dim[0].size
    if not tensor.tensor_content:
        tensor.CopyFrom(tf.make_tensor_proto(tf.make_ndarray(tensor)[:kept]))
    elif tensor.dtype == tf.string.as_datatype_enum:
        tensor.tensor_content = _first_texts(tensor.tensor_content, _elements(tensor), _elements(tensor) // rows * kept)
    else:
        tensor.tensor_content = tensor.tensor_content[: len(tensor.tensor_content) // rows * kept]
    tensor.tensor_shape.dim[0].size = kept


def _elements(tensor: Any) -> int:
    return math.prod(dimension.size for dimension in tensor.tensor_shape.dim)


def _first_texts(content: bytes, count: int, kept: int) -> bytes:
    """The first of some texts as TensorFlow writes them: the lengths of all, seven bits in a byte, then the texts."""
    lengths, ends, at = [], [], 0
    for _ in range(count):
        length = shift = 0
        more = True
        while more:
            length |= (content[at] & 0x7F) << shift
            more = content[at] >= 0x80
            shift += 7
            at += 1
        lengths.append(length)
        ends.append(at)
    return content[: ends[kept - 1]] + content[at : at + sum(lengths[:kept])]
