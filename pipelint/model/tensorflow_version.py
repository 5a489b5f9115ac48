"""Which TensorFlow a program is for."""

from __future__ import annotations

from typing import NamedTuple

Version = tuple[int, int]
"""Major and minor."""


class Versions(NamedTuple):
    """The versions of TensorFlow that run a program."""

    target: Version
    """The one whose behaviour counts: the oldest that the project admits, or the one that is asked for."""
    newest: Version
    oldest: Version
    is_asked_for: bool
    """Whether the user or the project asks for the target."""
