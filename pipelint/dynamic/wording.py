"""Shares, ratios and places in words."""

from __future__ import annotations

from pathlib import Path

from pipelint.model.locations import Place
from pipelint.source.paths import shown_path


def percentage(share: float) -> str:
    """`63%`."""
    return f"{share:.0%}"


def times(ratio: float) -> str:
    """`1.9x`."""
    return f"{ratio:.1f}x" if ratio < 10 else f"{ratio:.0f}x"


def path_of(place: Place) -> str:
    """The path as findings give it; what is no file, such as a cell of a notebook, keeps its name."""
    return place.path if place.path.startswith("<") else shown_path(Path(place.path))


def where(place: Place | None) -> str:
    """`train.py:31`."""
    return f"{path_of(place)}:{place.line}" if place else "an unknown place"
