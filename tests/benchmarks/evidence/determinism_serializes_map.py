"""Random contrast under op determinism with parallel calls: by a layer of Keras, and by an operation that is given its seed."""

from __future__ import annotations

from typing import Any

from tests.benchmarks.evidence import Run, drain, images, keras, tf

SIZE = 1500


def _pictures(size: int) -> Any:
    keras.utils.set_random_seed(1)
    tf.config.experimental.enable_op_determinism()
    return tf.data.Dataset.zip(images(size), tf.data.Dataset.counter())


def slow(size: int) -> Run:
    layer = keras.layers.RandomContrast(0.5)

    def draw(image: Any, _: Any) -> Any:
        return layer(tf.cast(image, tf.float32), training=True)

    return drain(_pictures(size).map(draw, num_parallel_calls=tf.data.AUTOTUNE).batch(32))


def fast(size: int) -> Run:
    def draw(image: Any, number: Any) -> Any:
        return tf.image.stateless_random_contrast(tf.cast(image, tf.float32), 0.5, 1.5, (1, number))

    return drain(_pictures(size).map(draw, num_parallel_calls=tf.data.AUTOTUNE).batch(32))
