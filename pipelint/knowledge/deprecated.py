"""Names of tf.data that TensorFlow gave up, what stands for them and since when. Tested on the TensorFlow installed."""

from __future__ import annotations

from typing import NamedTuple

from pipelint.knowledge.keras_2_packages import KERAS_2_PACKAGES


class Renamed(NamedTuple):
    """What has another name now."""

    new: str
    since: tuple[int, int]
    logs: bool = False
    """Whether each use of the old name logs that it is deprecated; else it is a silent alias."""


RENAMED: dict[str, Renamed] = {
    "tensorflow.data.experimental.AUTOTUNE": Renamed("tensorflow.data.AUTOTUNE", (2, 4)),
    "tensorflow.data.Options.experimental_deterministic": Renamed("tensorflow.data.Options.deterministic", (2, 7)),
    "tensorflow.data.Options.experimental_threading": Renamed("tensorflow.data.Options.threading", (2, 7), logs=True),
}


class Instead(NamedTuple):
    """What stands for a function that logs that it is deprecated."""

    methods: str
    """As a user writes them after `Dataset.`."""
    since: tuple[int, int]
    """A version that surely has them, and logs: where the notes of releases leave it open, a later one."""
    same: str = ""
    """The method of a dataset that it calls itself, with the arguments as they are; "" where there is none."""


METHODS_INSTEAD: dict[str, Instead] = {
    "map_and_batch": Instead("map(..., num_parallel_calls=...).batch(...)", (2, 0)),
    "shuffle_and_repeat": Instead("shuffle(...).repeat(...)", (2, 0)),
    "parallel_interleave": Instead("interleave(..., num_parallel_calls=tf.data.AUTOTUNE)", (2, 0)),
    "unbatch": Instead("unbatch()", (2, 0)),
    "choose_from_datasets": Instead("choose_from_datasets(..., stop_on_empty_dataset=False)", (2, 8)),
    "sample_from_datasets": Instead("sample_from_datasets(...)", (2, 8)),
    "get_single_element": Instead("get_single_element()", (2, 8)),
    "dense_to_ragged_batch": Instead("ragged_batch(...)", (2, 12), "ragged_batch"),
    "dense_to_sparse_batch": Instead("sparse_batch(...)", (2, 12), "sparse_batch"),
    "ignore_errors": Instead("ignore_errors(...)", (2, 12), "ignore_errors"),
    "unique": Instead("unique()", (2, 8), "unique"),
    **{
        name: Instead(f"{name}(...)", (2, 8), name)
        for name in (
            "bucket_by_sequence_length", "group_by_window", "rejection_resample", "scan", "snapshot", "take_while",
        )
    },
}  # fmt: skip
"""The methods that stand for functions of tf.data.experimental, each use of which logs that it is deprecated."""

REMOVED: dict[str, tuple[int, int]] = {
    "tensorflow.data.experimental.MapVectorizationOptions": (2, 6),
    "tensorflow.data.experimental.StatsAggregator": (2, 6),
    "tensorflow.data.experimental.StatsOptions": (2, 6),
    "tensorflow.data.experimental.bytes_produced_stats": (2, 6),
    "tensorflow.data.experimental.latency_stats": (2, 6),
    "tensorflow.data.Options.experimental_stats": (2, 6),
    "tensorflow.data.Options.experimental_optimization.map_vectorization": (2, 6),
    **{
        f"tensorflow.data.Options.experimental_{name}": (2, 0)
        for name in (
            "autotune", "filter_fusion", "hoist_random_uniform", "latency_all_edges", "map_and_batch_fusion",
            "map_and_filter_fusion", "map_fusion", "map_parallelization", "map_vectorization", "noop_elimination",
            "numa_aware", "shuffle_and_repeat_fusion",
        )
    },
}  # fmt: skip
"""What raises an AttributeError, from which version on: the API pages of the version before have it, its own have not.

The options that are gone with 2.0 were those of 1.12 and 1.13; most of them are in `experimental_optimization` since.
"""


class Gone(NamedTuple):
    """What today's TensorFlow lacks."""

    since: tuple[int, int]
    """The first version that lacks it; of another package, the first that no release of it works with."""
    replaced: tuple[int, int]
    """From which version on another name stood for it, so that who uses it writes for an older one."""


GONE: dict[str, Gone] = {
    "keras.experimental": Gone((2, 16), (2, 16)),
    "keras.layers.experimental": Gone((2, 16), (2, 16)),
    "keras.mixed_precision.experimental": Gone((2, 9), (2, 4)),
    "keras.optimizers.experimental": Gone((2, 16), (2, 16)),
    "keras.utils.multi_gpu_model": Gone((2, 4), (2, 4)),
    "keras.wrappers.scikit_learn": Gone((2, 13), (2, 13)),
    "tensorflow.estimator": Gone((2, 16), (2, 16)),
    "tensorflow.train.experimental.enable_mixed_precision_graph_rewrite": Gone((2, 6), (2, 4)),
    "tensorflow_datasets.features.text": Gone((2, 4), (2, 4)),
    **{package: Gone((2, 16), (2, 16)) for package in KERAS_2_PACKAGES},
    **{name: Gone(since, since) for name, since in REMOVED.items()},
}
"""Names that today's versions lack, with all that is in them: they tell which TensorFlow a program is run with."""
OLD_HISTORY = Gone((2, 0), (2, 0))
"""The keys `acc` and `val_acc` of what `fit` returns, where the metric is called `accuracy`."""


def gone(name: str) -> Gone | None:
    """What is known of a dotted name that is gone; None where today's TensorFlow still has it."""
    parts = name.split(".")
    prefixes = (".".join(parts[:length]) for length in range(1, len(parts) + 1))
    return next((GONE[prefix] for prefix in prefixes if prefix in GONE), None)
