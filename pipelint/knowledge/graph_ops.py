"""The operations of TensorFlow's graphs that matter to a pipeline, by their types, as of TensorFlow 2.18 to 2.21.

The types of operations are in tensorflow/core/ops, the names that the engine gives its nodes in
tensorflow/core/kernels/data, and what it rewrites in tensorflow/core/grappler/optimizers/data.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

PYTHON = frozenset({"PyFunc", "EagerPyFunc", "PyFuncStateless"})
"""Call a Python function."""
READS = frozenset({"ReadFile", "MatchingFiles"})
READERS = (*sorted(READS), "TFRecord", "TextLine", "FixedLengthRecord", "CSV", "IO>", "SqlDataset", "LMDB")
"""How the types of operations and datasets begin that may wait for a file."""
BRANCHES = frozenset({"If", "While"})
"""Stateful only where a function in them is."""
HOLDS_FUNCTIONS = BRANCHES | {"Case", "StatefulPartitionedCall", "SymbolicGradient"}
"""Stateful only for what they call."""
READS_STATE = frozenset(
    {"Assert", "LookupTableFindV2", "LookupTableSizeV2", "ReadVariableOp", "ResourceGather", "VarHandleOp"}
)
"""Stateful operations that change nothing: to call them once more, or for many elements at once, does no harm."""
CONTROL_FLOW = ("While", "If", "Case", "Switch", "Merge", "Enter", "Exit")
"""How the types end of operations that keep a function from running in the thread that calls it."""
FUNCTION_ATTRIBUTES = (
    "f", "predicate", "key_func", "reduce_func", "window_size_func", "init_func", "next_func", "finalize_func",
)  # fmt: skip
"""The attributes of datasets that hold a function, in the order in which they are called."""
CACHES = ("CacheDataset", "CacheDatasetV2")
SHUFFLE_BUFFERS = {"ShuffleDataset": 1, "ShuffleDatasetV2": 1, "ShuffleDatasetV3": 1, "ShuffleAndRepeatDatasetV2": 1}
"""Where the size of the buffer stands among the inputs."""
ENDING_DATASETS = ("TakeDataset", "TakeWhileDataset", "ConcatenateDataset")
"""Datasets that come to an end before their input does."""
FUSED = {"mapandbatch": ("batch", "map"), "shuffleandrepeat": ("repeat", "shuffle")}
"""Datasets that the engine runs as one, by the families that `dataset_family` gives; the later first."""
ASYNCHRONOUS_NODES = ("Parallel", "MapAndBatch")
"""How the names of the engine's nodes begin that call functions in threads of their own."""

METHOD_OF_CLASS = {
    "TensorDataset": "from_tensors",
    "TensorSliceDataset": "from_tensor_slices",
    "SparseTensorSliceDataset": "from_sparse_tensor_slices",
    "GeneratorDataset": "from_generator",
    "ListDataset": "from_list",
    "DirectedInterleaveDataset": "sample_from_datasets",
    "DenseToRaggedDataset": "ragged_batch",
    "DenseToSparseBatchDataset": "sparse_batch",
    "OptionsDataset": "with_options",
}
"""The method or class that a user writes for a dataset, where the name of its own class says another one."""
KEPT_ARGUMENTS: dict[str, bool | int | str | None] = {
    "num_parallel_calls": None,
    "deterministic": "default",
    "batch_size": None,
    "drop_remainder": False,
    "buffer_size": None,
    "reshuffle_each_iteration": True,
    "count": -1,
    "cycle_length": -1,
    "block_length": 1,
    "filename": "",
    "size": None,
    "shift": None,
    "stride": 1,
    "num_shards": None,
    "index": None,
}
"""The arguments that a dataset keeps as attributes behind an underscore, with their defaults."""

_PUBLIC_CALLS = (
    (re.compile(r"LookupTable|.*HashTable"), "tf.lookup.StaticHashTable.lookup"),
    (re.compile(r"Stateful(?!Partitioned)|Rng"), "tf.random.Generator"),
    (re.compile(r"Assign.*Variable|Resource.*(Scatter|Apply)"), "tf.Variable.assign"),
    (re.compile(r"ReadVariable|VarHandle|ResourceGather"), "tf.Variable"),
    (re.compile(r"ReduceDataset"), "tf.data.Dataset.reduce"),
    (re.compile(r".*Dataset"), "tf.data.Dataset"),
)
_RANDOM = re.compile(
    r"(Random|TruncatedNormal|ParameterizedTruncatedNormal|Multinomial|SampleDistortedBoundingBox"
    r"|Stateful(?!PartitionedCall)|Rng|NonDeterministicInts|\w*CandidateSampler)"
)
_DECODE = re.compile(r"Decode(AndCropJpeg|Jpeg|Png|Bmp|Gif|Image|WebP|Wav|Compressed)")
_DATASET = re.compile(r"Dataset(V\d+)?$|^DatasetFromGraph$|^(Wrap|Unwrap)DatasetVariant$")
_PREFIXES = ("legacy", "parallel", "forever", "finite", "empty", "memory", "file")
_SYNONYMS = {"fromtensor": "tensor", "cacheimpl": "cache", "cachewriter": "cache", "cachereader": "cache"}


@dataclass(frozen=True)
class SequentialForm:
    """How a parallel dataset is written in sequence: another op, without some inputs and attributes."""

    op: str
    inputs_dropped: tuple[int, ...]
    attributes_dropped: tuple[str, ...] = ("deterministic",)


SEQUENTIAL_FORMS = {
    "ParallelMapDataset": SequentialForm("MapDataset", (-1,), ("deterministic", "sloppy")),
    "ParallelMapDatasetV2": SequentialForm("MapDataset", (-1,), ("deterministic", "use_unbounded_threadpool")),
    "ParallelFilterDataset": SequentialForm("FilterDataset", (-1,)),
    "ParallelBatchDataset": SequentialForm("BatchDatasetV2", (2,)),
    "ParallelInterleaveDatasetV2": SequentialForm("InterleaveDataset", (-1,), ("sloppy",)),
    "ParallelInterleaveDatasetV3": SequentialForm("InterleaveDataset", (-1,)),
    "ParallelInterleaveDatasetV4": SequentialForm("InterleaveDataset", (-1, -1, -1)),
    "LegacyParallelInterleaveDatasetV2": SequentialForm("InterleaveDataset", (-1, -1)),
}


def draws_random_numbers(op: str) -> bool:
    """Whether an operation of this type, where it is stateful, draws random numbers."""
    return _RANDOM.match(op) is not None


def decodes(op: str) -> bool:
    """Whether an operation of this type decodes images, sound or compressed text."""
    return _DECODE.match(op) is not None


def makes_dataset(op: str) -> bool:
    """Whether an operation of this type gives a dataset."""
    return _DATASET.search(op) is not None


def called_graphs(op: Any, graph: Any) -> Iterator[Any]:
    """The graphs of the functions that an operation of a live graph calls; those of TensorFlow 1 have none."""
    for attribute in op.op_def.attr:
        if attribute.type in ("func", "list(func)"):
            value = op.get_attr(attribute.name)
            for reference in value if isinstance(value, list) else [value]:
                function = graph._get_function(reference.name)
                if function is not None:
                    yield function.graph


def public_call(op: str) -> str:
    """The call that most often puts an operation of this type into a graph, as users write it."""
    return next((name for pattern, name in _PUBLIC_CALLS if pattern.match(op)), f"tf.raw_ops.{op}")


def dataset_family(name: str) -> str:
    """What kind of dataset a name of the graph or of the engine means: `ParallelMapDatasetV2` and `Map` are one."""
    plain = re.sub(r"V\d+$", "", name).replace("Dataset", "").lower()
    for prefix in _PREFIXES:
        if plain.startswith(prefix) and plain != prefix:
            plain = plain.removeprefix(prefix)
    return _SYNONYMS.get(plain, plain)
