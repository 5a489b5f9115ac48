"""Eight files whose records come after a wait, now short and now long: read in order, and as they come."""

from __future__ import annotations

import time
from typing import Any

from tests.benchmarks.evidence import Run, drain, tf

SIZE = 40
_FILES = 8
_LONG, _SHORT = 0.05, 0.002
_EVERY = 8
"""One record in so many comes late."""


def _read(file: Any, record: Any) -> Any:
    time.sleep(_LONG if (file + record) % _EVERY == 0 else _SHORT)
    return record


def _records(file: Any, size: int) -> Any:
    return tf.data.Dataset.range(size).map(lambda record: tf.numpy_function(_read, [file, record], tf.int64))


def _interleaved(size: int, *, deterministic: bool) -> Run:
    files = tf.data.Dataset.range(_FILES)
    records = files.interleave(
        lambda file: _records(file, size),
        cycle_length=_FILES,
        num_parallel_calls=_FILES,
        deterministic=deterministic,
    )
    options = tf.data.Options()
    # A wait takes a thread and no core.
    options.threading.private_threadpool_size = 2 * _FILES
    return drain(records.shuffle(64).batch(8).with_options(options))


def slow(size: int) -> Run:
    return _interleaved(size, deterministic=True)


def fast(size: int) -> Run:
    return _interleaved(size, deterministic=False)
