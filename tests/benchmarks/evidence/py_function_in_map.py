"""JPEGs decoded and resized with PIL, inside a numpy_function, and with TensorFlow."""

from __future__ import annotations

import io
from importlib import import_module
from typing import Any

from tests.benchmarks.evidence import Run, drain, np, tf

SIZE = 600
SIDE = 128


def _with_pillow(data: Any) -> Any:
    image: Any = import_module("PIL.Image")
    picture = image.open(io.BytesIO(data)).convert("RGB").resize((SIDE, SIDE))
    return np.asarray(picture, dtype=np.float32)


def _with_tensorflow(data: Any) -> Any:
    return tf.image.resize(tf.io.decode_jpeg(data, channels=3), (SIDE, SIDE))


def _mapped(size: int, function: Any) -> Run:
    noise = tf.cast(tf.random.uniform((256, 256, 3), maxval=256, dtype=tf.int32), tf.uint8)
    files = tf.data.Dataset.from_tensors(tf.io.encode_jpeg(noise)).repeat(size)
    dataset = files.map(function, num_parallel_calls=tf.data.AUTOTUNE)
    return drain(dataset.batch(32).prefetch(tf.data.AUTOTUNE))


def slow(size: int) -> Run:
    return _mapped(size, lambda data: tf.numpy_function(_with_pillow, [data], tf.float32))


def fast(size: int) -> Run:
    return _mapped(size, _with_tensorflow)
