"""Which TensorFlow a program is for."""

from __future__ import annotations

Version = tuple[int, int]
"""Major and minor."""
