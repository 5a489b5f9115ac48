"""What the stages of tf.data do at run time: which run in threads, draw, rearrange or only pass elements on.

Read off the Python API and the kernels of TensorFlow 2.18 to 2.21.
"""

from __future__ import annotations

from pipelint.knowledge.stages import PREFETCHES, SHUFFLES

PARALLEL_CALLS = frozenset({"map", "interleave", "parallel_interleave", "batch", "map_and_batch"})
"""Stages whose calls an argument makes parallel."""
PARALLEL_READERS = frozenset({"TFRecordDataset", "TextLineDataset", "FixedLengthRecordDataset"})
"""Sources that read several files at once where an argument says so."""
CALLS_AT_ONCE = ("num_parallel_calls", "num_parallel_reads")
"""The arguments that say so."""
POOL_OPTIONS = ("threading.private_threadpool_size", "experimental_threading.private_threadpool_size")
"""The options that set how many threads all mapped functions of a pipeline share."""
ENDS_EARLY = frozenset({"take", "take_while"})
GROWS = frozenset({"repeat", "flat_map", "interleave", "unbatch"})
"""Stages that may give many elements for a few."""
PASSES_ON = PREFETCHES | {"repeat", "with_options", "assert_cardinality"}
"""Stages before which a cache does the same as behind them."""
DRAWS = frozenset({"from_generator", "random", "rejection_resample", "sample_from_datasets", "choose_from_datasets"})
"""Stages whose elements may differ from epoch to epoch."""
IN_MEMORY = (
    frozenset(
        {"from_tensors", "from_tensor_slices", "range", "zip", "concatenate", "enumerate", "take", "skip", "shard"}
        | {"batch", "padded_batch", "ragged_batch", "unbatch", "rebatch", "window", "apply", "counter"}
    )
    | SHUFFLES
    | PASSES_ON
)
"""Stages that hand on what is in memory already, which a cache does no faster."""
