"""How far a figure lies from what measuring it once more would give."""

from __future__ import annotations

import statistics
from collections.abc import Sequence

_DEVIATIONS = 2.0
"""Stretches that begin anew differ as runs do; all but one of twenty lie within so many deviations of their middle."""
_OF_MEDIAN = 1.4826
"""How many median deviations a standard one is; the median leaves out a stretch in which something else went on."""
_LEAST = 0.02
"""Stretches of one process share what differs between processes: where memory lies, which cores are theirs."""
_OF_TWO = 0.10
"""Two that agree may do so by chance."""
_OF_ONE = 0.25


def spread(figures: Sequence[float]) -> float:
    """The relative half-width of the interval in which the median of as many more figures is expected."""
    match len(figures):
        case 0 | 1:
            return _OF_ONE
        case 2:
            least = _OF_TWO
        case _:
            least = _LEAST
    middle = statistics.median(figures)
    deviation = _OF_MEDIAN * statistics.median(abs(figure - middle) for figure in figures)
    return max(least, _DEVIATIONS * deviation / middle) if middle > 0 else _OF_ONE


def of_mean(moments: Sequence[float]) -> float:
    """The relative half-width of the interval around the mean of moments of one stretch."""
    if len(moments) < 3:
        return _OF_ONE
    return float(_DEVIATIONS * statistics.stdev(moments) / statistics.fmean(moments) / len(moments) ** 0.5)
