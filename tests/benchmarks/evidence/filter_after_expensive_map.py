"""Pictures of one of ten labels, filtered after the map that decodes them, and before it."""

from __future__ import annotations

from typing import Any

from tests.benchmarks.evidence import Run, drain, np, tf

SIZE = 1000


def _files(size: int) -> Any:
    pixels = np.random.default_rng(1).integers(0, 256, (256, 256, 3), dtype=np.uint8)
    pictures = tf.data.Dataset.from_tensors(tf.io.encode_jpeg(pixels)).repeat(size)
    return tf.data.Dataset.zip(pictures, tf.data.Dataset.range(size))


def _decode(picture: Any, label: Any) -> Any:
    return tf.io.decode_jpeg(picture), label


def _is_wanted(_: Any, label: Any) -> Any:
    return label % 10 == 0


def slow(size: int) -> Run:
    return drain(_files(size).map(_decode, num_parallel_calls=tf.data.AUTOTUNE).filter(_is_wanted).batch(32))


def fast(size: int) -> Run:
    return drain(_files(size).filter(_is_wanted).map(_decode, num_parallel_calls=tf.data.AUTOTUNE).batch(32))
