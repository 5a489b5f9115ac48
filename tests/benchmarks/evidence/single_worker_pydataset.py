"""A PyDataset that reads each batch from a store that answers in 20 ms, with one worker and with four, given to fit."""

from __future__ import annotations

import time
from typing import Any

from tests.benchmarks.evidence import Run, keras, np, perceptron

SIZE = 30


class _Store(keras.utils.PyDataset):  # type: ignore[misc]
    def __init__(self, size: int, workers: int) -> None:
        super().__init__(workers=workers)
        self._size = size

    def __len__(self) -> int:
        return self._size

    def __getitem__(self, index: int) -> Any:
        time.sleep(0.02)
        return np.full((32, 32), index, "float32"), np.zeros((32, 1), "float32")


def _fitting(size: int, workers: int) -> Run:
    model = perceptron()
    model.compile("sgd", "mse")
    return lambda: model.fit(_Store(size, workers), verbose=0)


def slow(size: int) -> Run:
    return _fitting(size, 1)


def fast(size: int) -> Run:
    return _fitting(size, 4)
