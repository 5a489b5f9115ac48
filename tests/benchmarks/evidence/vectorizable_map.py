"""Small pictures that are cast and scaled one by one, and a batch at a time."""

from __future__ import annotations

from typing import Any

from tests.benchmarks.evidence import Run, drain, np, tf

SIZE = 20_000


def _pictures(size: int) -> Any:
    return tf.data.Dataset.from_tensor_slices(np.zeros((size, 32, 32, 3), np.uint8))


def _scale(pixels: Any) -> Any:
    return tf.cast(pixels, tf.float32) / 255.0


def slow(size: int) -> Run:
    return drain(_pictures(size).map(_scale, num_parallel_calls=tf.data.AUTOTUNE).batch(32).prefetch(tf.data.AUTOTUNE))


def fast(size: int) -> Run:
    return drain(_pictures(size).batch(32).map(_scale, num_parallel_calls=tf.data.AUTOTUNE).prefetch(tf.data.AUTOTUNE))
