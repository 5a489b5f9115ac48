"""Which TensorFlow NVIDIA's container images have, which are named for the month of their release."""

from __future__ import annotations

from typing import Final

# Source: the release notes of NVIDIA's TensorFlow containers, those of TensorFlow 2.
FIRST_IMAGES: Final = (
    ((19, 11), (2, 0)), ((20, 2), (2, 1)), ((20, 6), (2, 2)), ((20, 9), (2, 3)), ((21, 2), (2, 4)), ((21, 6), (2, 5)),
    ((21, 9), (2, 6)), ((22, 1), (2, 7)), ((22, 3), (2, 8)), ((22, 6), (2, 9)), ((22, 10), (2, 10)), ((23, 1), (2, 11)),
    ((23, 4), (2, 12)), ((23, 8), (2, 13)), ((23, 11), (2, 14)), ((24, 2), (2, 15)), ((24, 6), (2, 16)),
    ((25, 2), (2, 17)),
)  # fmt: skip
"""The year and the month of the first image that has a version of TensorFlow, in order."""
