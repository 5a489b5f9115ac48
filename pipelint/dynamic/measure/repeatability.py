"""How far a figure lies from what measuring it once more would give."""

from __future__ import annotations

import math
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
_FEW = 5
"""Of so many figures the median deviation may leave out the one that matters."""
_OF_TWO_MEDIANS = 1.77
"""The medians of two runs differ by so many deviations of single figures, over the root of how many they have."""
_STRETCHES = 6


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


def of_shares(shares: Sequence[float]) -> float:
    """The half-width of the interval around the median of shares, each of one stretch, in parts of the whole."""
    if len(shares) < 3:
        return _OF_ONE if len(shares) < 2 else max(_OF_TWO, abs(shares[0] - shares[1]))
    if len(shares) <= _FEW:
        deviation = statistics.stdev(shares)
    else:
        middle = statistics.median(shares)
        deviation = _OF_MEDIAN * statistics.median(abs(share - middle) for share in shares)
    return max(_LEAST, _DEVIATIONS * _OF_TWO_MEDIANS * deviation / math.sqrt(len(shares)))


def in_stretches(moments: Sequence[float]) -> list[float]:
    """The means of a few stretches of moments that follow each other, since single ones differ by themselves."""
    size = max(1, len(moments) // _STRETCHES)
    return [statistics.fmean(moments[begin : begin + size]) for begin in range(0, len(moments) - size + 1, size)]


def of_mean(moments: Sequence[float]) -> float:
    """The relative half-width of the interval around the mean of moments of one stretch."""
    if len(moments) < 3:
        return _OF_ONE
    return float(_DEVIATIONS * statistics.stdev(moments) / statistics.fmean(moments) / len(moments) ** 0.5)
