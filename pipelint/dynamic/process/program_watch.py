"""When to take over from the user's program: the rules that tell the consumption of a dataset from a glance at it."""

from __future__ import annotations

import linecache
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any
from weakref import WeakSet

from pipelint.dynamic.capture import error_lines, lineage, places, unwatched_datasets
from pipelint.dynamic.measure.step import LoopTimer, held
from pipelint.dynamic.process import unreached_evaluations
from pipelint.dynamic.process.consumed_dataset import ConsumedDataset
from pipelint.dynamic.process.loop_watch import LoopWatch
from pipelint.dynamic.process.measuring_session import MeasuringSession
from pipelint.dynamic.process.write_guard import WriteGuard, WriteRefusedError
from pipelint.knowledge.consumption import ConsumerKind, Purpose
from pipelint.knowledge.keras import TRAINING_CALLS
from pipelint.knowledge.stages import FEW_ELEMENTS, MULTIPLIES
from pipelint.model.consumer import Consumer
from pipelint.model.locations import NOWHERE, Place
from pipelint.source.paths import split_cell

_THIRD = 3
"""The call of `next` that makes a loop a consumer."""


@dataclass
class WatchedLoop:
    """An iterator that the user's program made, with how far it has come."""

    dataset: Any
    consumer: Consumer
    trained_before: int
    is_glance: bool
    restart: Callable[[Any], None] | None = None
    """Makes the iterator begin anew with a dataset, where that can be."""
    release: Callable[[], None] = lambda: None
    """Frees what the iterator holds, until it is restarted."""
    nexts: int = 0
    timer: LoopTimer | None = None
    on_held: bool = False
    """Whether it is given a batch from memory over and over, for the timer."""
    stand_in: Any = None
    """What is timed instead of a dataset whose shuffle buffers take too long to fill."""

    def turn(self, on_held: bool) -> None:
        """Begin anew with the batch in memory, or with what the dataset gives."""
        assert self.restart is not None
        chosen = self.dataset if self.stand_in is None else self.stand_in
        self.restart(held(chosen) if on_held else chosen)
        self.on_held = on_held


@dataclass
class TracedActivity:
    """What was seen of a traced function while TensorFlow traced it."""

    datasets: list[tuple[Any, Place | None]] = field(default_factory=list)
    loops: list[WatchedLoop] = field(default_factory=list)
    trains: bool = False


class ProgramWatch:
    """Follows the user's program from one consumption to the next, and ends it at the one that counts.

    `finish` never returns. For a target that names a dataset, `reached` stands in for measuring what is consumed.
    """

    def __init__(
        self,
        session: MeasuringSession,
        guard: WriteGuard,
        finish: Callable[[], None],
        *,
        script: Path | None = None,
        reached: Callable[[], None] | None = None,
    ) -> None:
        self._session = session
        self._guard = guard
        self._finish = finish
        self._script = script
        self._reached = reached
        self._only_training = False
        self._remembered: list[ConsumedDataset] = []
        self._timed: WatchedLoop | None = None
        self._trained = 0
        self._training_functions: WeakSet[Any] = WeakSet()
        self._takes_from_datasets = False
        self.loops = LoopWatch(session.step_seconds, self._time_fed_loop, self._end)
        """The loop in which it trains on what Python makes."""
        self.trace: TracedActivity | None = None
        """The trace of a function of the user's that is under way."""
        self.paused = False
        """While pipelint itself runs datasets and functions."""

    def await_training(self) -> None:
        """From now on training alone counts: a function that makes a dataset may look through others on its way."""
        self._reached = None
        self._only_training = True
        self.paused = False

    def trains(self) -> None:
        """The program computes gradients, or applies them."""
        self._trained += 1
        if self.trace is not None:
            self.trace.trains = True
        elif self._timed is None:
            self.loops.trains()
            if self.loops.unseen == _THIRD and not self._takes_from_datasets:
                self._tell_of_unseen()

    def fit(self, consumptions: Sequence[ConsumedDataset], *, on_arrays: bool = False) -> None:
        """A call of `fit`: training, whatever comes before and after; unless it is fed otherwise, and datasets wait."""
        if on_arrays and lineage.any_made() and self._training_calls() > 1:
            for consumption in consumptions:
                self._let_run(consumption)
        elif consumptions:
            self._take_over(consumptions)

    def evaluate(self, consumption: ConsumedDataset) -> None:
        """A call of `evaluate` or `predict`, which runs through where training is still to come."""
        self._take_over_or_remember([consumption], training=False)

    def open_loop(self, dataset: Any, consumer: Consumer) -> WatchedLoop:
        """The program asks a dataset for an iterator."""
        if self._timed is not None and self._timed.dataset is dataset:
            self._timed.on_held = False
            return self._timed
        return WatchedLoop(dataset, consumer, self._trained, is_glance(dataset))

    def before_next(self, loop: WatchedLoop) -> None:
        """The program asks for the next element."""
        self._takes_from_datasets = True
        self.loops.takes_from_dataset()
        if loop.timer is not None:
            loop.timer.enter()
            if loop.timer.done:
                self._end()
            elif loop.timer.on_held is not loop.on_held:
                with self.pause():
                    loop.turn(loop.timer.on_held)
            return
        loop.nexts += 1
        if loop.nexts == _THIRD and not loop.is_glance:
            self._third_next(loop)
        elif loop.nexts == _THIRD and self._is_training(loop):
            # More than a glance, but little to take over at.
            self._remember(_as_consumption(loop, training=True))

    def after_next(self, loop: WatchedLoop) -> None:
        """The program has its element."""
        if loop.timer is not None:
            loop.timer.leave()

    def begin_again(self, loop: WatchedLoop) -> bool:
        """The loop is at its end; tell whether to go on from the beginning instead.

        Left by its end, a timed loop would go on to what the program does behind training.
        """
        if loop.timer is not None:
            if loop.restart is None:
                self._end()
                return False
            loop.turn(on_held=False)
            return True
        if loop.nexts < _THIRD and not loop.is_glance:
            # A single batch: too little to take over at, measured when all is over.
            self._remember(_as_consumption(loop, self._is_training(loop)))
        return False

    def first_call(self, function: Any, trace: TracedActivity) -> None:
        """A traced function is about to be called for the first time."""
        if trace.trains:
            self._training_functions.add(function)
        if trace.datasets or trace.loops:
            purpose = Purpose.TRAINING if trace.trains else Purpose.UNKNOWN
            inside = [
                ConsumedDataset(dataset, Consumer(ConsumerKind.LOOP, place or NOWHERE, purpose, in_tf_function=True))
                for dataset, place in trace.datasets
                if not is_glance(dataset)
            ]
            captured = [_as_consumption(loop, trace.trains) for loop in trace.loops if not loop.is_glance]
            self._take_over_or_remember([*inside, *captured], training=trace.trains)

    def call(self, function: Any, consumptions: Sequence[ConsumedDataset]) -> None:
        """A traced function is about to be called, with these datasets among its arguments."""
        training = function in self._training_functions
        if consumptions:
            self._take_over_or_remember(consumptions, training=training)
        if training:
            self.trains()

    def purpose_of(self, function: Any) -> Purpose:
        """What a traced function is known to do."""
        return Purpose.TRAINING if function in self._training_functions else Purpose.UNKNOWN

    def end_of_program(self) -> bool:
        """Measure what was left for the end, and tell whether there was anything."""
        if self._timed is None and not self._remembered and not self.loops.has_turns:
            return False
        self._end()
        return True

    def conclude(self) -> None:
        """Give a timed loop its step, and measure what the program consumed on its way."""
        self._guard.refuse_with(None)
        self.loops.end()
        with self.pause():
            if self._timed is None and self.loops.has_turns:
                self._measure_fed_loop()
            if self._timed is not None and self._timed.timer is not None:
                self._timed.release()
                self._session.add_step(self._timed.dataset, self._timed.timer.step())
            self._session.measure(self._remembered)

    @contextmanager
    def pause(self) -> Iterator[None]:
        """Look away while pipelint itself is at work."""
        before, self.paused = self.paused, True
        try:
            yield
        finally:
            self.paused = before

    def _third_next(self, loop: WatchedLoop) -> None:
        training = self._is_training(loop)
        if self._timed is not None or (not training and self._expects_training()):
            self._let_run(_as_consumption(loop, training))
            return
        self._interrupt()
        if training:
            self._look_ahead()
        loop.release()
        with self.pause():
            self._session.measure([_as_consumption(loop, training)])
        if self._session.error is not None or not self._session.times_steps:
            self._end()
            return
        terms = self._session.terms(loop.dataset)
        loop.timer, loop.stand_in = LoopTimer(terms, exchanges=loop.restart is not None), terms.stand_in
        if loop.restart is not None:
            with self.pause():
                loop.turn(loop.timer.on_held)
        self._timed = loop
        self._session.progress("timing the loop", 0.0)
        self._guard.refuse_with(self._end_instead_of_writing)
        loop.timer.enter()

    def _time_fed_loop(self) -> None:
        """It is sure now that the program trains on what Python makes, and in which loop."""
        self._interrupt()
        self._look_ahead()
        self._session.progress("timing the loop", 0.0)
        self._guard.refuse_with(self._end_instead_of_writing)

    def _measure_fed_loop(self) -> None:
        loops = self.loops
        self._session.measure([ConsumedDataset(loops, loops.consumer(), measure_feed=loops.pipeline)])
        if self._session.error is None:
            self._session.add_step(loops, loops.step())

    def _tell_of_unseen(self) -> None:
        place = error_lines.users_place() or "the program"
        why = "no loop around this makes or takes what it trains on, so there is nothing to time"
        self._session.aside(f"{place}: {why}; the program runs on, to a tf.data dataset or to its end")

    def _is_training(self, loop: WatchedLoop) -> bool:
        return self._trained > loop.trained_before

    def _take_over_or_remember(self, consumptions: Sequence[ConsumedDataset], *, training: bool) -> None:
        if self._timed is not None or (not training and self._expects_training()):
            for consumption in consumptions:
                self._let_run(consumption)
        elif consumptions:
            self._take_over(consumptions)

    def _take_over(self, consumptions: Sequence[ConsumedDataset]) -> None:
        self._interrupt()
        self.loops.takes_from_dataset()
        if self._timed is None:
            purposes = [consumption.consumer.purpose for consumption in consumptions]
            if Purpose.TRAINING in purposes and Purpose.EVALUATION not in purposes:
                self._look_ahead()
            with self.pause():
                self._session.measure(consumptions)
        self._end()

    def _remember(self, consumption: ConsumedDataset) -> bool:
        """Keep it for the end, and tell whether it is new; of one place with many datasets the first will do."""
        is_new = not any(_is_same(consumption, other) for other in self._remembered)
        if is_new:
            self._remembered.append(consumption)
        return is_new

    def _let_run(self, consumption: ConsumedDataset) -> None:
        if self._remember(consumption) and self._timed is None:
            consumer = consumption.consumer
            place = error_lines.shown(consumer.place) or "the program"
            by_keras = consumer.kind in (ConsumerKind.FIT, ConsumerKind.EVALUATE, ConsumerKind.PREDICT)
            what = consumer.kind.value if by_keras else "this loop"
            before = "any training" if consumption.measure_feed is None else "a training on tf.data"
            self._session.aside(f"{place}: {what} comes before {before}, so it runs through, and is measured later")

    def _look_ahead(self) -> None:
        for consumption in unreached_evaluations.evaluations():
            self._remember(consumption)

    def _interrupt(self) -> None:
        if self._reached is not None:
            with self.pause():
                self._reached()

    def _end_instead_of_writing(self, what: str) -> None:
        if threading.current_thread() is not threading.main_thread():
            raise WriteRefusedError(what)
        self._end()

    def _end(self) -> None:
        self._interrupt()
        self.conclude()
        self._finish()

    def _expects_training(self) -> bool:
        return self._only_training or self._training_calls() > 0

    def _training_calls(self) -> int:
        """How many calls in the program's own files train."""
        if self._script is None:
            return 0
        home = str(self._script.resolve().parent)
        names = {getattr(module, "__file__", None) or "" for module in list(sys.modules.values())}
        own = {name for name in names if name.startswith(home) and name.endswith(".py") and "-packages" not in name}
        cells = {name for name in linecache.cache if split_cell(name)[0] == str(self._script.absolute())}
        sources = map(places.source_of, own | cells | {str(self._script.resolve())})
        return sum(places.called_name(call) in TRAINING_CALLS for source in sources for call in source.calls)


def is_glance(dataset: Any) -> bool:
    """Whether a dataset is `take` of a few elements, perhaps dressed for showing."""
    while True:
        op, inputs = unwatched_datasets.op_of(dataset), dataset._inputs()
        if op == "take":
            count = _constant(dataset._count)
            return count is not None and 0 <= count <= FEW_ELEMENTS
        if len(inputs) != 1 or op in MULTIPLIES:
            return False
        dataset = inputs[0]


def _is_same(consumption: ConsumedDataset, other: ConsumedDataset) -> bool:
    place = consumption.consumer.place
    return consumption.dataset is other.dataset or (place is not None and place == other.consumer.place)


def _as_consumption(loop: WatchedLoop, training: bool) -> ConsumedDataset:
    consumer = replace(loop.consumer, purpose=Purpose.TRAINING) if training else loop.consumer
    return ConsumedDataset(loop.dataset, consumer)


def _constant(tensor: Any) -> int | None:
    return int(tensor) if hasattr(tensor, "numpy") else None
