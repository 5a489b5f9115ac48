"""Names that TensorFlow gave up, what stands for them and since when. Tested for the names that are left."""

from __future__ import annotations

from typing import NamedTuple


class Renamed(NamedTuple):
    """What has another name now."""

    new: str
    since: tuple[int, int]


RENAMED: dict[str, Renamed] = {
    "tensorflow.data.experimental.AUTOTUNE": Renamed("tensorflow.data.AUTOTUNE", (2, 4)),
    "tensorflow.data.Options.experimental_deterministic": Renamed("tensorflow.data.Options.deterministic", (2, 7)),
    "tensorflow.data.Options.experimental_threading": Renamed("tensorflow.data.Options.threading", (2, 7)),
}

METHODS_INSTEAD: dict[str, str] = {
    "map_and_batch": "map(..., num_parallel_calls=...).batch(...)",
    "shuffle_and_repeat": "shuffle(...).repeat(...)",
    "parallel_interleave": "interleave(..., num_parallel_calls=tf.data.AUTOTUNE)",
    "unbatch": "unbatch()",
}
"""The methods that stand for deprecated functions of tf.data.experimental."""

TENSORFLOW_1 = frozenset(
    {
        "Session", "InteractiveSession", "placeholder", "global_variables_initializer", "get_variable",
        "disable_v2_behavior", "disable_eager_execution", "enable_eager_execution", "make_one_shot_iterator", "contrib",
        "variable_scope",
    }
)  # fmt: skip
"""What only programs for TensorFlow 1 name: sessions, graphs and what goes with them."""
