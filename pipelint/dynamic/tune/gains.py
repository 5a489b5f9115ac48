"""What pairs of runs say of a change: the median of their ratios, with the interval that resampling them gives."""

from __future__ import annotations

import random
import statistics
from collections.abc import Sequence
from dataclasses import dataclass

from pipelint.dynamic.tuning import Gain

FLOOR = 1.05
"""A gain below this is not worth a change of the source."""
FEWEST, USUAL, MOST = 3, 5, 9
"""Pairs of runs: where every one of them is far beyond doubt, by default, and where they leave it open."""
_BEYOND_DOUBT = 1.3
"""Two runs of one program in fresh processes differ by less than this."""
_HALVED = 2.0
"""A run that shares its processor with one other program takes twice as long."""
_HOPELESS = 2
"""So many pairs without a gain are enough to give up."""
_RESAMPLES = 2000
_BUSY = 0.5
"""From so many processors on that others take, only what is far beyond doubt is believed."""
_UNEVEN = 0.5
"""How many processors others may take more of one run of a pair than of the other."""


@dataclass(frozen=True)
class Timed:
    """One run: its batches a second, and how many processors others took meanwhile."""

    rate: float
    disturbance: float = 0.0


@dataclass(frozen=True)
class Pair:
    """A run of the program as it is and one with the change, right after each other."""

    before: Timed
    after: Timed

    @property
    def ratio(self) -> float:
        """How many times as fast the change made it."""
        return self.after.rate / self.before.rate

    @property
    def is_quiet(self) -> bool:
        """Whether nobody disturbed either of them by much."""
        return max(self.before.disturbance, self.after.disturbance) <= _BUSY

    @property
    def is_even(self) -> bool:
        """Whether others disturbed both alike."""
        return abs(self.before.disturbance - self.after.disturbance) <= _UNEVEN


def gain_of(pairs: Sequence[Pair]) -> Gain:
    """The median ratio of the pairs, and the interval around it; pairs of which one run was disturbed do not count."""
    ratios = [pair.ratio for pair in _counted(pairs)]
    draw = random.Random(0)  # noqa: S311 - it resamples, and tells the same of the same figures
    medians = sorted(statistics.median(draw.choices(ratios, k=len(ratios))) for _ in range(_RESAMPLES))
    low, high = medians[_RESAMPLES // 40], medians[-_RESAMPLES // 40 - 1]
    return Gain(statistics.median(ratios), low, high, len(ratios))


def _counted(pairs: Sequence[Pair]) -> Sequence[Pair]:
    """Those in which nobody disturbed where they are enough, else those in which both were disturbed alike."""
    quiet = [pair for pair in pairs if pair.is_quiet]
    return quiet if len(quiet) >= FEWEST else [pair for pair in pairs if pair.is_even] or pairs


def is_gain(pairs: Sequence[Pair]) -> bool:
    """Whether the interval excludes 1 and the gain is above the floor."""
    gain = gain_of(pairs)
    if is_busy(pairs):
        # Who is given a processor then differs from run to run by as much as others take of it.
        is_plain = gain.pairs >= FEWEST and min(pair.ratio for pair in _counted(pairs)) > _HALVED
        return is_plain or (gain.low >= _BEYOND_DOUBT and gain.pairs >= USUAL)
    return gain.low > 1 and gain.ratio >= FLOOR and gain.pairs >= FEWEST


def is_settled(pairs: Sequence[Pair]) -> bool:
    """Whether more pairs would say nothing else."""
    counted = _counted(pairs)
    ratios = [pair.ratio for pair in counted]
    if len(pairs) >= MOST:
        return True
    even = [pair for pair in counted if pair.is_even]
    if is_busy(pairs):
        return is_gain(pairs) or (len(even) >= USUAL and gain_of(pairs).high < FLOOR)
    if len(ratios) >= _HOPELESS and max(ratios) < FLOOR:
        return True
    if len(even) >= FEWEST and min(pair.ratio for pair in even) >= _BEYOND_DOUBT:
        return True
    if len(even) < USUAL:
        return False
    gain = gain_of(pairs)
    return gain.high < FLOOR or (gain.low > 1 and gain.ratio >= FLOOR)


def is_busy(pairs: Sequence[Pair]) -> bool:
    """Whether others took so much of the machine that small gains are not believed."""
    return _others(_counted(pairs)) > _BUSY


def noise(pairs: Sequence[Pair], cores: int) -> str:
    """Why a gain that may be there could not be told, in one line."""
    others = _others(_counted(pairs))
    gain = gain_of(pairs)
    told = f"{gain.ratio:.2f}x ({gain.low:.2f} to {gain.high:.2f}x) could not be told from noise"
    return f"{told}: others took {others:.1f} of {cores} processors" if is_busy(pairs) else told


def _others(pairs: Sequence[Pair]) -> float:
    """How many processors others took on average."""
    return statistics.fmean(run.disturbance for pair in pairs for run in (pair.before, pair.after))
