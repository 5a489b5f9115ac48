"""The batches of some pictures, counted: by a list of them, and by the length of the dataset."""

from __future__ import annotations

from typing import Any

from tests.benchmarks.evidence import Run, images, tf

SIZE = 2000


def _dataset(size: int) -> Any:
    return images(size).map(lambda picture: tf.image.resize(picture, (64, 64))).batch(32)


def slow(size: int) -> Run:
    dataset = _dataset(size)
    return lambda: len(list(dataset))


def fast(size: int) -> Run:
    dataset = _dataset(size)
    return lambda: len(dataset)
