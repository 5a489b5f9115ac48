"""What the stages of tf.data do with elements, as far as rules and predictions ask."""

from __future__ import annotations

BATCHING = frozenset({"batch", "padded_batch", "ragged_batch", "map_and_batch", "rebatch"})
PREFETCHES = frozenset({"prefetch", "prefetch_to_device", "copy_to_device"})
SHUFFLES = frozenset({"shuffle", "shuffle_and_repeat"})
FREE = frozenset({"repeat", "take", "skip", "with_options", "assert_cardinality", "ignore_errors", "shard", "apply"})
"""Stages that only pass elements on."""
