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
    written_for: Version
    """The oldest that is so much as named: what is written into the program is to work with it, too."""
    is_named: bool
    """Whether the project names a release that runs it, or a notebook shows with which it was run."""
    is_asked_for: bool
    """Whether the user or the project asks for the target."""
