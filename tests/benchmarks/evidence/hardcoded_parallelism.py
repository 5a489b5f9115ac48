"""JPEG images decoded one at a time, and as many at a time as TensorFlow finds best."""

from __future__ import annotations

from typing import Any

from tests.benchmarks.evidence import Run, drain, np, tf

SIZE = 1600


def _decoded(size: int, calls: int) -> Run:
    pixels = np.random.default_rng(1).integers(0, 256, (16, 128, 128, 3), dtype=np.uint8)
    encoded = [tf.io.encode_jpeg(image).numpy() for image in pixels]
    dataset = tf.data.Dataset.from_tensor_slices(encoded).repeat(size // 16)

    def decode(image: Any) -> Any:
        return tf.io.decode_jpeg(image, channels=3)

    return drain(dataset.map(decode, num_parallel_calls=calls).batch(32).prefetch(tf.data.AUTOTUNE))


def slow(size: int) -> Run:
    return _decoded(size, 1)


def fast(size: int) -> Run:
    return _decoded(size, tf.data.AUTOTUNE)
