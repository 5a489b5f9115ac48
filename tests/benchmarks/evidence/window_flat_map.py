"""Windows of 30 rows of a table, by window and flat_map and by timeseries_dataset_from_array."""

from __future__ import annotations

from typing import Any

from tests.benchmarks.evidence import Run, drain, keras, np, tf

SIZE = 20_000
_ROWS = 30


def _table(size: int) -> Any:
    return np.ones((size, 10), np.float32)


def slow(size: int) -> Run:
    windows = tf.data.Dataset.from_tensor_slices(_table(size)).window(_ROWS, shift=1, drop_remainder=True)
    return drain(windows.flat_map(lambda window: window.batch(_ROWS)).batch(64))


def fast(size: int) -> Run:
    return drain(keras.utils.timeseries_dataset_from_array(_table(size), None, _ROWS, batch_size=64))
