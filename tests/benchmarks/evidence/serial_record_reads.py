"""Four compressed record files, which one thread unpacks one after the other."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from tests.benchmarks.evidence import Run, drain, np, tf

SIZE = 160


def _records(size: int, **arguments: Any) -> Run:
    folder = Path(tempfile.mkdtemp())
    files = [str(folder / f"{number}.tfrecord") for number in range(4)]
    payload = np.random.default_rng(1).integers(0, 64, 400_000, dtype=np.uint8).tobytes()
    for file in files:
        with tf.io.TFRecordWriter(file, tf.io.TFRecordOptions(compression_type="GZIP")) as writer:
            for _ in range(size // 4):
                writer.write(payload)
    dataset = tf.data.TFRecordDataset(files, compression_type="GZIP", **arguments)
    return drain(dataset.batch(32).prefetch(tf.data.AUTOTUNE))


def slow(size: int) -> Run:
    return _records(size)


def fast(size: int) -> Run:
    return _records(size, num_parallel_reads=tf.data.AUTOTUNE)
