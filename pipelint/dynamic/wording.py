"""Times, sizes, ratios and places in words."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from pipelint.dynamic.recording import Place
from pipelint.locating import shown_path

_TIMES = ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs"))
_SIZES = ((2.0**40, "TiB"), (2.0**30, "GiB"), (2.0**20, "MiB"), (2.0**10, "KiB"), (1.0, "bytes"))


def duration(seconds: float) -> str:
    """`12 ms`, `1.5 s`."""
    return _scaled(seconds, _TIMES)


def size(count: float) -> str:
    """`588 KiB`, `5.6 GiB`."""
    return _scaled(count, _SIZES)


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


def _scaled(value: float, units: Sequence[tuple[float, str]]) -> str:
    scale, unit = next((entry for entry in units if value >= entry[0]), units[-1])
    number = value / scale
    return f"{number:.1f} {unit}".replace(".0 ", " ") if number < 10 else f"{number:.0f} {unit}"
