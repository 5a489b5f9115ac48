"""A function without state that resizes and recolours images, which TensorFlow makes parallel by itself."""

from __future__ import annotations

from typing import Any

from tests.benchmarks.evidence import Run, drain, images, tf

SIZE = 600


def _prepare(image: Any) -> Any:
    return tf.image.adjust_saturation(tf.image.resize(image, (128, 128)) / 255.0, 0.8)


def slow(size: int) -> Run:
    return drain(images(size).map(_prepare).batch(32).prefetch(tf.data.AUTOTUNE))


def fast(size: int) -> Run:
    return drain(images(size).map(_prepare, num_parallel_calls=tf.data.AUTOTUNE).batch(32).prefetch(tf.data.AUTOTUNE))
