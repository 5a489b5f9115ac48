"""Four record files behind a latency: each record comes after a wait, as from a network."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from tests.benchmarks.evidence import Run, drain, tf, waiting

SIZE = 240


def _records(size: int, **arguments: Any) -> Run:
    folder = Path(tempfile.mkdtemp())
    for number in range(4):
        with tf.io.TFRecordWriter(str(folder / f"{number}.tfrecord")) as writer:
            for record in range(size // 4):
                writer.write(f"{number} {record}".encode() * 100)
    wait = waiting(2)
    files = tf.data.Dataset.list_files(str(folder / "*.tfrecord"), shuffle=False)
    dataset = files.interleave(lambda path: tf.data.TFRecordDataset(path).map(wait), cycle_length=4, **arguments)
    return drain(dataset.batch(32).prefetch(tf.data.AUTOTUNE))


def slow(size: int) -> Run:
    return _records(size)


def fast(size: int) -> Run:
    return _records(size, num_parallel_calls=tf.data.AUTOTUNE)
