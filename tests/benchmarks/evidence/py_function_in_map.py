"""The same arithmetic on images in numpy, behind a numpy_function, and in TensorFlow."""

from __future__ import annotations

from typing import Any

from tests.benchmarks.evidence import Run, drain, images, np, tf

SIZE = 1500


def _in_numpy(image: Any) -> Any:
    scaled = image.astype(np.float32) / np.float32(255.0)
    return np.log1p(scaled[::-1] - scaled.mean() + np.float32(1.0))


def _in_tensorflow(image: Any) -> Any:
    scaled = tf.cast(image, tf.float32) / 255.0
    return tf.math.log1p(scaled[::-1] - tf.reduce_mean(scaled) + 1.0)


def _mapped(size: int, function: Any) -> Run:
    dataset = images(size).map(function, num_parallel_calls=tf.data.AUTOTUNE)
    return drain(dataset.batch(32).prefetch(tf.data.AUTOTUNE))


def slow(size: int) -> Run:
    return _mapped(size, lambda image: tf.numpy_function(_in_numpy, [image], tf.float32))


def fast(size: int) -> Run:
    return _mapped(size, _in_tensorflow)
