"""Names of tf.data that TensorFlow gave up, what stands for them and since when. Tested on the TensorFlow installed."""

from __future__ import annotations

from typing import NamedTuple


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

METHODS_INSTEAD: dict[str, str] = {
    "map_and_batch": "map(..., num_parallel_calls=...).batch(...)",
    "shuffle_and_repeat": "shuffle(...).repeat(...)",
    "parallel_interleave": "interleave(..., num_parallel_calls=tf.data.AUTOTUNE)",
    "unbatch": "unbatch()",
}
"""The methods that stand for functions of tf.data.experimental, each use of which logs that it is deprecated."""

REMOVED: dict[str, tuple[int, int]] = {
    "tensorflow.data.experimental.MapVectorizationOptions": (2, 6),
    "tensorflow.data.experimental.StatsAggregator": (2, 6),
    "tensorflow.data.experimental.StatsOptions": (2, 6),
    "tensorflow.data.experimental.bytes_produced_stats": (2, 6),
    "tensorflow.data.experimental.latency_stats": (2, 6),
    "tensorflow.data.Options.experimental_stats": (2, 6),
}
"""What raises an AttributeError, from which version on: the API pages of 2.5 have it, those of 2.6 have not."""
