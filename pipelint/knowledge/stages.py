"""What each stage of tf.data does with elements: one row a stage. Tested by building each on TensorFlow.

Rules, predictions and both front ends ask the sets that are derived from the rows.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

Does = Literal["batches", "keeps", "maps", "one to one", "passes on", "prefetches", "shuffles", "splits", "takes apart"]


class TransformationRow(NamedTuple):
    """A stage behind others."""

    does: tuple[Does, ...] = ()
    function: str = ""
    """The parameter that holds the function which is applied to each element."""
    returns_datasets: bool = False
    """Whether that function returns a dataset for each element."""
    own_sizes: bool = False
    """Whether its function or the elements decide how many examples a batch holds."""
    only_datasets: bool = False
    """Whether no other object that programs use has a method of this name."""


TRANSFORMATIONS: dict[str, TransformationRow] = {
    "map": TransformationRow(("maps", "one to one"), function="map_func"),
    "interleave": TransformationRow(function="map_func", returns_datasets=True, only_datasets=True),
    "flat_map": TransformationRow(function="map_func", returns_datasets=True),
    "filter": TransformationRow(function="predicate"),
    "take_while": TransformationRow(function="predicate"),
    "batch": TransformationRow(("batches",)),
    "padded_batch": TransformationRow(("batches",), only_datasets=True),
    "ragged_batch": TransformationRow(("batches",), only_datasets=True),
    "sparse_batch": TransformationRow(("batches",)),
    "rebatch": TransformationRow(("batches",), only_datasets=True),
    "unbatch": TransformationRow(("takes apart",), only_datasets=True),
    "window": TransformationRow(("takes apart",)),
    "group_by_window": TransformationRow(own_sizes=True, only_datasets=True),
    "bucket_by_sequence_length": TransformationRow(own_sizes=True, only_datasets=True),
    "shuffle": TransformationRow(("shuffles", "one to one")),
    "repeat": TransformationRow(("passes on",)),
    "take": TransformationRow(("passes on", "splits")),
    "skip": TransformationRow(("passes on", "splits")),
    "shard": TransformationRow(("passes on", "splits")),
    "prefetch": TransformationRow(("prefetches", "one to one"), only_datasets=True),
    "cache": TransformationRow(("keeps", "one to one")),
    "snapshot": TransformationRow(("keeps", "one to one"), only_datasets=True),
    "with_options": TransformationRow(("passes on", "one to one"), only_datasets=True),
    "assert_cardinality": TransformationRow(("passes on", "one to one"), only_datasets=True),
    "ignore_errors": TransformationRow(("passes on",), only_datasets=True),
    "apply": TransformationRow(("passes on",)),
    "enumerate": TransformationRow(("one to one",)),
    "concatenate": TransformationRow(),
    "scan": TransformationRow(),
    "unique": TransformationRow(),
    "rejection_resample": TransformationRow(only_datasets=True),
    # Given to `apply`, from tf.data.experimental.
    "map_and_batch": TransformationRow(("maps", "batches"), function="map_func"),
    "parallel_interleave": TransformationRow(function="map_func", returns_datasets=True),
    "shuffle_and_repeat": TransformationRow(("shuffles",)),
    "dense_to_ragged_batch": TransformationRow(("batches",)),
    "dense_to_sparse_batch": TransformationRow(("batches",)),
    "prefetch_to_device": TransformationRow(("prefetches", "one to one")),
    # Prefetches nothing by itself, but is written where a prefetch to the device follows.
    "copy_to_device": TransformationRow(("prefetches", "one to one")),
}


class SourceRow(NamedTuple):
    """A stage at the start, under the last part of its name."""

    batches: bool = False
    """Whether it gives batches by itself, unless `batch_size=None` asks for none."""
    prefetches: bool = False
    """Whether it ends in a prefetch by itself."""
    merges: bool = False
    """Whether it takes other datasets."""
    counts: bool = False
    """Whether it makes its elements of nothing."""
    files: str = ""
    """The parameter that names files."""
    lists_files: bool = False
    """Whether its elements may be the files themselves."""


SOURCES: dict[str, SourceRow] = {
    "from_tensor_slices": SourceRow(files="tensors", lists_files=True),
    "list_files": SourceRow(files="file_pattern", lists_files=True),
    "TFRecordDataset": SourceRow(files="filenames"),
    "TextLineDataset": SourceRow(files="filenames"),
    "FixedLengthRecordDataset": SourceRow(files="filenames"),
    "CsvDataset": SourceRow(files="filenames"),
    "zip": SourceRow(merges=True),
    "sample_from_datasets": SourceRow(merges=True),
    "choose_from_datasets": SourceRow(merges=True),
    "range": SourceRow(counts=True),
    "counter": SourceRow(counts=True),
    "Counter": SourceRow(counts=True),
    "random": SourceRow(counts=True),
    "RandomDataset": SourceRow(counts=True),
    "image_dataset_from_directory": SourceRow(batches=True, prefetches=True),
    "text_dataset_from_directory": SourceRow(batches=True, prefetches=True),
    "audio_dataset_from_directory": SourceRow(batches=True, prefetches=True),
    "timeseries_dataset_from_array": SourceRow(batches=True),
    "make_csv_dataset": SourceRow(batches=True, prefetches=True),
    "make_batched_features_dataset": SourceRow(batches=True, prefetches=True),
    # That of tensorflow_datasets; Dataset.load, which has the same last name, reads what a pipeline had made.
    "load": SourceRow(prefetches=True),
}


def _those(what: Does) -> frozenset[str]:
    return frozenset(name for name, row in TRANSFORMATIONS.items() if what in row.does)


BATCHING = _those("batches")
"""Stages that collect elements in batches of a given size."""
OWN_BATCHES = frozenset(name for name, row in TRANSFORMATIONS.items() if row.own_sizes)
"""Stages whose batches hold as many examples as a function or the elements decide."""
TAKES_APART = _those("takes apart")
RETURNS_DATASETS = frozenset(name for name, row in TRANSFORMATIONS.items() if row.returns_datasets)
MAPS = _those("maps")
SHUFFLES = _those("shuffles")
PREFETCHES = _those("prefetches")
KEEPS = _those("keeps")
"""Stages that keep what they have seen for the epochs to come."""
SPLITS = _those("splits")
"""Stages that take a part of the elements."""
ONE_TO_ONE = _those("one to one")
"""Stages that give one element for each."""
FREE = _those("passes on")
"""Stages that only pass elements on."""
FUNCTION_PARAMETER = {name: row.function for name, row in TRANSFORMATIONS.items() if row.function}
ONLY_DATASETS_HAVE = frozenset(name for name, row in TRANSFORMATIONS.items() if row.only_datasets)
"""Methods that prove their receiver a Dataset in a file that imports tensorflow."""
TELLING_ARGUMENTS = frozenset({"num_parallel_calls", "drop_remainder", "reshuffle_each_iteration", "padded_shapes"})
"""Arguments that prove the same."""

LOADERS = frozenset(name for name, row in SOURCES.items() if row.batches)
"""Sources that give batches by themselves."""
READY_MADE = frozenset(name for name, row in SOURCES.items() if row.prefetches)
"""Sources that prefetch by themselves."""
MERGES = frozenset(name for name, row in SOURCES.items() if row.merges)
"""Sources that take other datasets."""
COUNTERS = frozenset(name for name, row in SOURCES.items() if row.counts)
FILES_PARAMETER = {name: row.files for name, row in SOURCES.items() if row.files}
LISTS_FILES = frozenset(name for name, row in SOURCES.items() if row.lists_files)
FILE_READERS = frozenset(FILES_PARAMETER) - LISTS_FILES
"""Sources that read the records of files."""
REMOTE_FILES = ("gs://", "s3://", "hdfs://")
"""How paths begin whose reads wait for a network."""
