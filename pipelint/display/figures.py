"""Figures as people read them: times, sizes, shares, counts, and numbers with no more digits than they need."""

from __future__ import annotations

import math
from typing import TypeGuard

_DURATIONS = ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs"))
_SIZES = ((2**40, "TiB"), (2**30, "GiB"), (2**20, "MiB"), (2**10, "KiB"))

_ROUGH = 0.5
"""Beyond this part of a figure, `±` would come near to nothing at its lower end."""


def duration(seconds: float | None) -> str:
    """`12 ms`, `340 µs`, `1.5 s`; nothing for what is not known."""
    if not known(seconds):
        return ""
    for unit, name in _DURATIONS:
        if seconds >= unit * 0.9995:
            return f"{figure(seconds / unit)} {name}"
    return "0" if seconds < 5e-8 else "<1 µs"


def size(number: float | None) -> str:
    """`512 B`, `1.2 MiB`; nothing for what is not known."""
    if not known(number):
        return ""
    for unit, name in _SIZES:
        if number >= unit * 0.9995:
            return f"{figure(number / unit)} {name}"
    return f"{number:.0f} B"


def percent(share: float | None) -> str:
    """`63%`, `<1%`; nothing for what is not known."""
    if not known(share):
        return ""
    return "<1%" if 0 < share < 0.005 else f"{share:.0%}"


def off_by(spread: float) -> str:
    """` ± 9%` behind a figure; nothing for what rounds to nothing, a factor for what is hardly known."""
    if not known(spread) or spread < 0.005:
        return ""
    return f" ± {percent(spread)}" if spread <= _ROUGH else f" within a factor of {figure(1 + spread)}"


def share_within(share: float, spread: float) -> str:
    """`30% (21% to 39%)`: of a share, as `± 9%` would not say of what it is nine hundredths."""
    if not known(spread) or spread < 0.005:
        return percent(share)
    return f"{percent(share)} ({between(share, spread, 'to')})"


def between(share: float, spread: float, to: str = "and") -> str:
    """`21% and 39%`: the ends of an interval around a share."""
    return f"{percent(max(0.0, share - spread))} {to} {percent(min(1.0, share + spread))}"


def figure(number: float) -> str:
    """A number with as many digits as a reader wants: `0.04`, `1.3`, `24`, `1,250`."""
    if abs(number) >= 9.95:
        return f"{number:,.0f}"
    return f"{number:.2g}" if 0 < abs(number) < 1 else f"{number:.1f}".removesuffix(".0")


def known(number: float | None) -> TypeGuard[float]:
    """Whether there is a figure to show."""
    return number is not None and math.isfinite(number)


def counted(number: int, one: str, many: str) -> str:
    """`1 file`, `2 files`."""
    return f"{number} {one if number == 1 else many}"


def enumerated(parts: list[str]) -> str:
    """`a, b and c`; nothing for nothing."""
    return " and ".join(filter(None, [", ".join(parts[:-1]), *parts[-1:]]))
