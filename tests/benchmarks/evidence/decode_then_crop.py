"""A window of 224 pixels out of smooth pictures of 500: cut out of what was decoded, and decoded alone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.benchmarks.evidence import Run, drain, np, tf

SIZE = 800
_WINDOW = (138, 138, 224, 224)


def _decoded(size: int, decode: Callable[[Any], Any]) -> Run:
    coarse = np.random.default_rng(1).integers(0, 256, (50, 50, 3)).astype("float32")
    photo = tf.io.encode_jpeg(tf.cast(tf.image.resize(coarse, (500, 500)), tf.uint8))
    return drain(tf.data.Dataset.from_tensors(photo).repeat(size).map(decode, num_parallel_calls=tf.data.AUTOTUNE))


def slow(size: int) -> Run:
    return _decoded(size, lambda photo: tf.image.crop_to_bounding_box(tf.io.decode_jpeg(photo, channels=3), *_WINDOW))


def fast(size: int) -> Run:
    return _decoded(size, lambda photo: tf.io.decode_and_crop_jpeg(photo, _WINDOW, channels=3))
