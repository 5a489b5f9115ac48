"""What a consumer does with a batch: how often it takes a real one, beside one that is held in memory.

Both come by turns, so that what disturbs the machine disturbs both. The difference is what the input costs, whether the
consumer waits for it or works more slowly because the pipeline takes processors from it.
"""

from __future__ import annotations

import gc
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from pipelint.dynamic.measure.disturbance import Others, least_disturbed
from pipelint.dynamic.measure.repeatability import in_stretches, of_shares, spread
from pipelint.dynamic.profile import INPUT_BOUND
from pipelint.model.cost import Step

_WARM_UP = 3
"""Batches that trace, compile and fill buffers."""
_SETTLING = 1 / 3
"""The part of a turn in which TensorFlow still tries how many calls at once are best."""
_LEAST = 3
_TURN = {True: 1 / 12, False: 1 / 6}
"""The part of the time for one turn, on the held batch and on real ones: four of each fit."""
LONG = 2.0
"""Seconds of a step of which one tells enough."""
_PAIRS = 3
_OF_A_LOOP = 12
"""Batches of one turn of a loop of the user's, which may not be a long one: six of these are fewer than a hundred."""
_PRECISE = 0.03
_SHORT_EPOCH = 1.5
"""How many turns on real batches an epoch may take for its start to be timed with the others."""
_SETTLED = 0.1
"""How wide the interval around the share of the input may be, to each side, before it is worth more time."""
_LONGER = 2.0
"""How many times as long it may take then."""
_NOISY = 2.0
"""A period of more than so many steps is no step that was disturbed: the input costs what is beyond."""
_FELT = 0.25
"""The processors that others may take in a turn before it is left out for a quieter one."""


class StepError(Exception):
    """Why a step has no time."""


@dataclass(frozen=True)
class Terms:
    """What is known when the timing of a step begins."""

    seconds: float
    """How long it may take."""
    pipeline_seconds: float = float("inf")
    """What the pipeline takes for a batch with nobody behind it: the input cannot cost more."""
    epoch_batches: int | None = None
    """Where each epoch begins anew, how many there are in one."""
    start_seconds: float = 0.0
    """What the first batch of an epoch takes beyond any other."""
    stand_in: Any = None
    """What is run instead of a dataset whose shuffle buffers take too long to fill."""


def held(dataset: Any) -> Any:
    """The first batch over and over, from memory; the same to a traced function as the dataset itself."""
    return dataset.take(1).cache().repeat()


class Turn:
    """The times from batch to batch of one turn."""

    def __init__(self, budget: float, most: float = float("inf"), *, by_epochs: bool = False) -> None:
        self.budget = budget
        """The seconds that they should make up."""
        self._by_epochs = by_epochs
        self._most = most
        self.spans: list[float] = []
        self.starts: list[float] = []
        """Those in which a new epoch begins, where they are kept apart."""
        self._left = budget
        self._shortest = float("inf")
        self.others = Others()

    def add(self, seconds: float, *, begins_epoch: bool = False) -> None:
        """Note the time of one more batch."""
        if begins_epoch and self._by_epochs:
            self.starts.append(seconds)
            self._left -= seconds
            return
        # Tracing takes longer than many batches: it is not to leave one or two of them to speak for all.
        self._left -= seconds if self.spans else 0.0
        self.spans.append(seconds)
        self._shortest = min(self._shortest, seconds)

    @property
    def is_enough(self) -> bool:
        """Whether more batches would tell nothing that the next turn does not; the first one never counts."""
        counted = len(self.spans) - 1
        if counted >= self._most:
            return True
        return self._left <= 0 and (counted >= _LEAST or (counted >= 1 and self._shortest > LONG))


@dataclass(frozen=True)
class _Pair:
    """The times from batch to batch of two turns that followed each other."""

    held: float
    real: float
    cost: float
    """What of the second the input costs."""
    disturbed: float
    """How many processors others took in the worse of both."""

    @property
    def share(self) -> float:
        """What the input costs, in parts of the whole."""
        return self.cost / self.real


class Turns:
    """The turns so far, and the one that is due: the held batch first."""

    def __init__(self, terms: Terms) -> None:
        self._terms = terms
        self._begun = time.perf_counter()
        self._held: list[float] = []
        self._real: list[float] = []
        self._starting: list[float] = []
        """The part of each of these that goes to the starts of epochs."""
        self._first: list[float] = []
        self._disturbed: list[float] = []
        """How many processors others took in each turn, those of both kinds one after the other."""

    @property
    def on_held(self) -> bool:
        """Whether the turn that is due is one on the held batch."""
        return len(self._held) <= len(self._real)

    @property
    def budget(self) -> float:
        """The seconds of the turn that is due."""
        return self._terms.seconds * _TURN[self.on_held]

    @property
    def by_epochs(self) -> bool:
        """Whether epochs are so short that a turn on real batches has several, and what their starts cost counts."""
        batches, budget = self._terms.epoch_batches, self._terms.seconds * _TURN[False]
        if not batches or batches <= _LEAST or not self._held:
            return False
        seconds = batches * max(self._held[0], self._terms.pipeline_seconds) + self._terms.start_seconds
        return seconds <= _SHORT_EPOCH * budget

    def add(self, turn: Turn) -> None:
        """Note the times from batch to batch of the turn that was due."""
        if not turn.spans:
            raise StepError("its dataset has too few batches")
        counted = [turn.spans[place] for place in _steady(turn.spans)]
        usual = statistics.fmean(counted)
        self._disturbed.append(turn.others.processors)
        if not self._held:
            self._first = counted
        if self.on_held:
            self._held.append(usual)
            return
        starting = 0.0
        if turn.starts and self._terms.epoch_batches:
            starting = max(0.0, statistics.fmean(turn.starts) - usual) / self._terms.epoch_batches
        self._real.append(usual + starting)
        self._starting.append(starting)

    @property
    def done(self) -> bool:
        """Whether enough is known, or the time is up."""
        if not self._real:
            return bool(self._held) and self._is_slow
        passed = time.perf_counter() - self._begun
        late = passed > self._terms.seconds * (1.0 if self.is_settled else _LONGER)
        pairs = self._quiet
        times = [pair.real for pair in pairs], [pair.held for pair in pairs]
        return late or (len(pairs) >= _PAIRS and max(map(spread, times)) <= _PRECISE)

    @property
    def is_settled(self) -> bool:
        """Whether the turns agree on what the input costs."""
        return self._spread_of_share(self._quiet) <= _SETTLED

    def _spread_of_share(self, pairs: Sequence[_Pair]) -> float:
        """How far another run may be off, which is no further than what the pipeline needs allows."""
        shares = [pair.share for pair in pairs]
        if any(self._starting):
            return of_shares(shares)
        share, period = statistics.median(shares), statistics.median(pair.real for pair in pairs)
        most = min(1.0, self._terms.pipeline_seconds / period)
        return min(of_shares(shares), max(share, most - share))

    @property
    def _quiet(self) -> list[_Pair]:
        """The turns by pairs, without those in which others took more of the machine than in most."""
        most = self._terms.pipeline_seconds
        pairs: list[_Pair] = []
        for held, real, starting in zip(self._held, self._real, self._starting, strict=False):
            # No more than the pipeline needs by itself, if noise can explain it, and what the starts of epochs take.
            cost = max(0.0, min(real - starting - held, max(most, real - starting - _NOISY * held))) + starting
            disturbed = max(self._disturbed[2 * len(pairs) : 2 * len(pairs) + 2])
            pairs.append(_Pair(held, real, cost, max(disturbed, _FELT)))
        return least_disturbed(pairs, lambda pair: pair.disturbed)

    @property
    def pairs(self) -> int:
        """How many turns there were of each kind."""
        return len(self._real)

    @property
    def _is_slow(self) -> bool:
        """Whether the step takes so much longer than the pipeline that only starts of epochs can hold it back."""
        return not self.by_epochs and self._held[0] * INPUT_BOUND > self._terms.pipeline_seconds

    def step(self) -> Step | None:
        """The step, as far as the turns tell; None before the first."""
        if not self._held:
            return None
        if not self._real:
            return Step(self._held[0], self._held[0], spread(self._first))
        pairs = self._quiet
        periods = [pair.real for pair in pairs]
        period = statistics.median(periods)
        waiting = min(period, statistics.median(pair.cost for pair in pairs))
        has_starts = any(self._starting)
        return Step(period - waiting, period, spread(periods), self._spread_of_share(pairs), has_starts=has_starts)


def of_own_loop(periods: Sequence[float], works: Sequence[float], terms: Terms) -> Step:
    """The step of a loop of which both the times from batch to batch and what of these is no input are known."""
    period, work = statistics.fmean(periods), statistics.fmean(works)
    stretches = in_stretches(periods)
    shares = [max(0.0, 1 - own / whole) for own, whole in zip(in_stretches(works), stretches, strict=True)]
    waiting = max(0.0, min(period - work, terms.pipeline_seconds))
    return Step(period - waiting, period, spread(stretches), of_shares(shares))


def _steady(spans: Sequence[float]) -> list[int]:
    """The places in a turn behind its beginning, without that of the longest time, which may be a trace.

    The mean of their times counts: waits come in bursts, of which a median says little.
    """
    begin, passed = 0, 0.0
    settled = _SETTLING * sum(spans)
    for index, span in enumerate(spans[:-1], 1):
        passed += span
        if index <= _WARM_UP or (passed <= settled and len(spans) - index >= _LEAST):
            begin = index
    counted = list(range(begin, len(spans)))
    if len(counted) > _LEAST:
        counted.remove(max(counted, key=lambda place: spans[place]))
    return counted


Run = Callable[[Any, Turn], Turn]
"""Runs the consumer on a dataset until the turn has enough."""


def time_step(run: Run, dataset: Any, terms: Terms) -> Step:
    """The step of a consumer that can be run on any dataset."""
    chosen = dataset if terms.stand_in is None else terms.stand_in
    return time_step_on(run, held(chosen), chosen.repeat(), terms)


def time_step_on(run: Run, in_memory: Any, real: Any, terms: Terms, in_epochs: Any = None) -> Step:
    """The step of a consumer that runs on what it is given: a batch in memory over and over, or all as they come.

    Where epochs are short, it is given what has an end, if there is such a thing.
    """
    turns = Turns(terms if in_epochs is not None else replace(terms, epoch_batches=None))
    while not turns.done:
        # Keras leaves circles: an iterator of the last turn that is still there fills buffers and locks its cache file.
        gc.collect()
        try:
            due = in_memory if turns.on_held else in_epochs if turns.by_epochs else real
            turns.add(run(due, Turn(turns.budget, by_epochs=turns.by_epochs and not turns.on_held)))
        except StepError:
            # What ends for good has to be timed on as much as there was.
            if not turns.pairs:
                raise
            break
    step = turns.step()
    assert step is not None
    return step


class LoopTimer:
    """Times the user's own loop, which takes its batches itself: by turns from memory and as they come.

    Where its iterator cannot be exchanged, the time inside `next` is what the input costs.
    """

    def __init__(self, terms: Terms, *, exchanges: bool) -> None:
        self._terms = terms
        self._exchanges = exchanges
        self._turns = Turns(terms)
        self._turn = self._begun()
        self._works: list[float] = []
        self._entered = time.perf_counter()
        self._left: float | None = None

    @property
    def on_held(self) -> bool:
        """Whether the batch that is asked for should come from memory."""
        return self._exchanges and self._turns.on_held

    def enter(self) -> None:
        """The loop asks for a batch."""
        now = time.perf_counter()
        if self._left is not None:
            self._works.append(now - self._left)
            self._turn.add(now - self._entered)
        self._entered = now
        if self._exchanges and self._turn.is_enough:
            self._turns.add(self._turn)
            self._turn, self._left = self._begun(), None

    def leave(self) -> None:
        """The loop has its batch."""
        self._left = time.perf_counter()

    def _begun(self) -> Turn:
        if self._exchanges:
            return Turn(self._turns.budget, _OF_A_LOOP)
        return Turn(self._terms.seconds, 2 * _PAIRS * _OF_A_LOOP)

    @property
    def done(self) -> bool:
        """Whether enough is known, or the time is up."""
        if not self._exchanges:
            return self._turn.is_enough
        return self._turns.done or (self._turns.pairs >= _PAIRS and self._turns.is_settled)

    def step(self) -> Step | None:
        """The step as far as it was timed; None where the loop ended too soon."""
        if self._exchanges:
            return self._turns.step()
        if not self._works:
            return None
        spans, counted = self._turn.spans, _steady(self._turn.spans)
        return of_own_loop([spans[place] for place in counted], [self._works[place] for place in counted], self._terms)
