"""PIPE603 numpy-on-tensor: cases beyond the examples of the rule itself."""

from __future__ import annotations

import pytest

from pipelint.rule import Example
from tests.rules.promises import check_promises

CASES = (
    Example(
        "the value of a path, and OpenCV on a tensor, through a helper",
        """
        import cv2
        import tensorflow as tf

        def read(path):
            return cv2.imread(path)

        def load(path):
            image = read(path)
            name = path.numpy()
            return image

        ds = tf.data.Dataset.list_files("*.jpg").map(load)
        """,
        count=2,
    ),
)


@pytest.mark.parametrize("example", CASES, ids=lambda example: example.title)
def test_numpy_on_tensor(example: Example) -> None:
    check_promises("PIPE603", example)
