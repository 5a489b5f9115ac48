"""JPEG files that each epoch decodes anew, or that the first one decodes for all."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from tests.benchmarks.evidence import Run, drain, images, tf

SIZE = 1_500


def _load(path: Any) -> Any:
    return tf.io.decode_jpeg(tf.io.read_file(path), channels=3)


def _decoded(size: int) -> Any:
    folder = Path(tempfile.mkdtemp())
    for number, image in enumerate(images(size)):
        tf.io.write_file(
            str(folder / f"{number}.jpg"), tf.io.encode_jpeg(tf.image.resize(image, (256, 256), "nearest"))
        )
    files = tf.data.Dataset.list_files(str(folder / "*.jpg"), shuffle=False)
    return files.map(_load, num_parallel_calls=tf.data.AUTOTUNE)


def slow(size: int) -> Run:
    return drain(_decoded(size).batch(32).prefetch(tf.data.AUTOTUNE))


def fast(size: int) -> Run:
    return drain(_decoded(size).cache().batch(32).prefetch(tf.data.AUTOTUNE))
