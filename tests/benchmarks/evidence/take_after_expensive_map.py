"""An eighth of some pictures, decoded: sharded after the map that decodes them, and before it."""

from __future__ import annotations

from typing import Any

from tests.benchmarks.evidence import Run, drain, np, tf

SIZE = 1000
_WORKERS = 8


def _files(size: int) -> Any:
    pixels = np.random.default_rng(1).integers(0, 256, (256, 256, 3), dtype=np.uint8)
    return tf.data.Dataset.from_tensors(tf.io.encode_jpeg(pixels)).repeat(size)


def slow(size: int) -> Run:
    return drain(_files(size).map(tf.io.decode_jpeg, num_parallel_calls=tf.data.AUTOTUNE).shard(_WORKERS, 0))


def fast(size: int) -> Run:
    return drain(_files(size).shard(_WORKERS, 0).map(tf.io.decode_jpeg, num_parallel_calls=tf.data.AUTOTUNE))
