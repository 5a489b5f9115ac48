"""What each stage of tf.data does with elements: one row a stage. Tested by building each on TensorFlow.

Rules, predictions and both front ends ask the sets that are derived from the rows. What runs in parallel, varies or
does no work is read off the Python API and the kernels of TensorFlow 2.18 to 2.21.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

Does = Literal[
    "batches",
    "commutes with cache",
    "ends early",
    "keeps",
    "maps",
    "multiplies",
    "no work",
    "one to one",
    "parallel calls",
    "passes on",
    "prefetches",
    "runs ahead",
    "shuffles",
    "splits",
    "takes apart",
    "varies",
]


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
    "map": TransformationRow(("maps", "one to one", "parallel calls"), function="map_func"),
    "interleave": TransformationRow(
        ("multiplies", "parallel calls"), function="map_func", returns_datasets=True, only_datasets=True
    ),
    "flat_map": TransformationRow(("multiplies",), function="map_func", returns_datasets=True),
    "filter": TransformationRow(function="predicate"),
    "take_while": TransformationRow(("ends early",), function="predicate"),
    "batch": TransformationRow(("batches", "no work", "parallel calls")),
    "padded_batch": TransformationRow(("batches", "no work"), only_datasets=True),
    "ragged_batch": TransformationRow(("batches", "no work"), only_datasets=True),
    "sparse_batch": TransformationRow(("batches",)),
    "rebatch": TransformationRow(("batches", "no work"), only_datasets=True),
    "unbatch": TransformationRow(("takes apart", "multiplies", "no work"), only_datasets=True),
    "window": TransformationRow(("takes apart", "no work")),
    "group_by_window": TransformationRow(own_sizes=True, only_datasets=True),
    "bucket_by_sequence_length": TransformationRow(own_sizes=True, only_datasets=True),
    "shuffle": TransformationRow(("shuffles", "one to one", "no work")),
    "repeat": TransformationRow(("passes on", "commutes with cache", "multiplies", "no work")),
    "take": TransformationRow(("passes on", "splits", "ends early", "no work")),
    "skip": TransformationRow(("passes on", "splits", "no work")),
    "shard": TransformationRow(("passes on", "splits", "no work")),
    "prefetch": TransformationRow(("prefetches", "one to one", "commutes with cache", "no work"), only_datasets=True),
    "cache": TransformationRow(("keeps", "one to one")),
    "snapshot": TransformationRow(("keeps", "one to one"), only_datasets=True),
    "with_options": TransformationRow(
        ("passes on", "one to one", "commutes with cache", "no work"), only_datasets=True
    ),
    "assert_cardinality": TransformationRow(
        ("passes on", "one to one", "commutes with cache", "no work"), only_datasets=True
    ),
    "ignore_errors": TransformationRow(("passes on",), only_datasets=True),
    "apply": TransformationRow(("passes on", "no work")),
    "enumerate": TransformationRow(("one to one", "no work")),
    "concatenate": TransformationRow(("no work",)),
    "scan": TransformationRow(),
    "unique": TransformationRow(),
    # Today's TensorFlow draws once for each dataset that is built; nothing documents that its epochs are alike.
    "rejection_resample": TransformationRow(("varies",), only_datasets=True),
    # Given to `apply`, from tf.data.experimental.
    "map_and_batch": TransformationRow(("maps", "batches", "parallel calls", "runs ahead"), function="map_func"),
    "parallel_interleave": TransformationRow(
        ("multiplies", "parallel calls", "runs ahead"), function="map_func", returns_datasets=True
    ),
    "shuffle_and_repeat": TransformationRow(("shuffles", "multiplies", "no work")),
    "dense_to_ragged_batch": TransformationRow(("batches",)),
    "dense_to_sparse_batch": TransformationRow(("batches",)),
    "prefetch_to_device": TransformationRow(("prefetches", "one to one", "commutes with cache", "no work")),
    "copy_to_device": TransformationRow(("passes on", "one to one", "commutes with cache", "no work")),
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
    parallel_reads: bool = False
    """Whether it reads several files at once where an argument says so."""
    varies: bool = False
    """Whether its elements may differ from epoch to epoch."""
    no_work: bool = False
    """Whether it only hands out what is in memory already."""


SOURCES: dict[str, SourceRow] = {
    "from_tensors": SourceRow(no_work=True),
    "from_generator": SourceRow(varies=True),
    "from_tensor_slices": SourceRow(files="tensors", lists_files=True, no_work=True),
    "list_files": SourceRow(files="file_pattern", lists_files=True),
    "TFRecordDataset": SourceRow(files="filenames", parallel_reads=True),
    "TextLineDataset": SourceRow(files="filenames", parallel_reads=True),
    "FixedLengthRecordDataset": SourceRow(files="filenames", parallel_reads=True),
    "CsvDataset": SourceRow(files="filenames"),
    "zip": SourceRow(merges=True, no_work=True),
    "sample_from_datasets": SourceRow(merges=True, varies=True),
    "choose_from_datasets": SourceRow(merges=True, varies=True),
    "range": SourceRow(counts=True, no_work=True),
    "counter": SourceRow(counts=True, no_work=True),
    "Counter": SourceRow(counts=True),
    "random": SourceRow(counts=True, varies=True),
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
BUCKETS = frozenset({"bucket_by_sequence_length"})
"""Stages that collect elements in batches whose size depends on the elements."""
OWN_BATCHES = frozenset(name for name, row in TRANSFORMATIONS.items() if row.own_sizes)
"""Stages whose batches hold as many examples as a function or the elements decide."""
TAKES_APART = _those("takes apart")
RETURNS_DATASETS = frozenset(name for name, row in TRANSFORMATIONS.items() if row.returns_datasets)
MAPS = _those("maps")
SHUFFLES = _those("shuffles")
PREFETCHES = _those("prefetches")
RUNS_AHEAD = _those("runs ahead")
"""Stages whose threads work ahead of what takes their elements, whatever their arguments say."""
KEEPS = _those("keeps")
"""Stages that keep what they have seen for the epochs to come."""
SPLITS = _those("splits")
"""Stages that take a part of the elements."""
ONE_TO_ONE = _those("one to one")
"""Stages that give one element for each."""
FREE = _those("passes on")
"""Stages that only pass elements on."""
COMMUTES_WITH_CACHE = _those("commutes with cache")
"""Stages before which a cache does the same as behind them."""
ENDS_EARLY = _those("ends early")
"""Stages that may end before their input does."""
MULTIPLIES = _those("multiplies")
"""Stages that may give many elements for a few."""
PARALLEL_CALLS = _those("parallel calls")
"""Stages whose calls an argument makes parallel."""
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
FEW_ELEMENTS = 16
"""`take` of no more than this is a look at the data: a grid of pictures to show, too little to train on."""
REMOTE_FILES = ("gs://", "s3://", "hdfs://")
"""How paths begin whose reads wait for a network."""
PARALLEL_READERS = frozenset(name for name, row in SOURCES.items() if row.parallel_reads)
"""Sources that read several files at once where an argument says so."""
PYTHON_FEEDS = frozenset({"generator", "PyDataset"})
"""What makes batches in Python without tf.data, by the words that measured pipelines have for it."""
FEEDS = PYTHON_FEEDS | {"arrays"}
"""All that a consumer may be fed with without tf.data."""

NO_WORK = _those("no work") | {name for name, row in SOURCES.items() if row.no_work}
"""Stages that neither read nor compute, so that a cache gives their elements no faster."""
VARIES = _those("varies") | {name for name, row in SOURCES.items() if row.varies}
"""Stages whose elements may differ from epoch to epoch."""
PARALLELISM_ARGUMENTS = ("num_parallel_calls", "num_parallel_reads")
"""The arguments that say how many calls or reads run at once."""
THREAD_POOL_OPTIONS = ("threading.private_threadpool_size", "experimental_threading.private_threadpool_size")
"""The options that set how many threads all mapped functions of a pipeline share."""

COUNTED_SOURCES = frozenset(
    {"from_tensor_slices", "from_tensors", "list_files", "load", "range"}
    | {f"{kind}_dataset_from_directory" for kind in ("audio", "image", "text")}
)
"""Sources of which TensorFlow knows how many elements they give; `load` is that of TensorFlow Datasets."""
KEEPS_COUNT = frozenset(
    {
        "batch", "cache", "concatenate", "enumerate", "map", "padded_batch", "prefetch", "shard", "shuffle", "skip",
        "take", "with_options", "zip",
    }
)  # fmt: skip
"""Stages that know how many elements they give where they know how many they take."""
