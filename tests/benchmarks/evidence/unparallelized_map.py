"""A random augmentation of images, which TensorFlow does not make parallel by itself."""

from __future__ import annotations

from typing import Any

from tests.benchmarks.evidence import Run, drain, images, tf

SIZE = 600


def _augment(image: Any) -> Any:
    image = tf.image.random_flip_left_right(tf.image.resize(image, (128, 128)))
    return tf.image.random_contrast(tf.image.random_saturation(image / 255.0, 0.5, 1.5), 0.5, 1.5)


def slow(size: int) -> Run:
    return drain(images(size).map(_augment).batch(32).prefetch(tf.data.AUTOTUNE))


def fast(size: int) -> Run:
    return drain(images(size).map(_augment, num_parallel_calls=tf.data.AUTOTUNE).batch(32).prefetch(tf.data.AUTOTUNE))
