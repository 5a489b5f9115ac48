"""Times a training loop that Python feeds: line by line, so that the making of a batch and the step are told apart."""

from __future__ import annotations

import statistics
import sys
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from types import CodeType, FrameType
from typing import Any

from pipelint.dynamic.capture import places
from pipelint.dynamic.capture.loop_feeds import FedLoop, fed_loop
from pipelint.dynamic.capture.places import Origin
from pipelint.dynamic.measure.disturbance import RunDelay
from pipelint.dynamic.measure.python_clock import CallTimes
from pipelint.dynamic.measure.python_feed import FeedSource
from pipelint.dynamic.measure.repeatability import of_mean
from pipelint.dynamic.measure.step import LONG, Terms, Turn, of_own_loop
from pipelint.dynamic.process import keras_feeds
from pipelint.knowledge.consumption import ConsumerKind, Purpose
from pipelint.knowledge.keras import RUNS_IN_GRAPHS
from pipelint.model.consumer import Consumer
from pipelint.model.cost import Cost, Step
from pipelint.model.feed import FeedKind
from pipelint.model.pipeline import Pipeline

_WARM_UP = 2
"""Turns that trace and compile."""
_MOST = 72
_RUN_MODELS = RUNS_IN_GRAPHS | {"__call__"}


@dataclass
class _Times:
    """What one turn took, and the making of its batch in it."""

    seconds: float = 0.0
    feed: CallTimes = field(default_factory=CallTimes)


class LoopWatch:
    """Follows the loop in which the program trains, as long as no tf.data dataset feeds it.

    `begun` is told once it is sure what the loop is, `done` when enough is known.
    """

    def __init__(self, seconds: float, begun: Callable[[], None], done: Callable[[], None]) -> None:
        self._seconds = seconds
        self._begun, self._done = begun, done
        self._off = False
        self._code: CodeType | None = None
        self._loop: FedLoop | None = None
        self._is_sure = False
        self._warm = 0
        """How many turns came before it was sure."""
        self._turns: list[_Times] = []
        self._enough = Turn(seconds, _MOST)
        self._times: _Times | None = None
        self._line: int | None = None
        self._since = self._since_cpu = self._since_delayed = 0.0
        self._delayed = RunDelay()
        self._model_runs = False
        self._by_line: dict[int, float] = defaultdict(float)
        self._makers: dict[int, FeedSource] = {}
        self.unseen = 0
        """How often the program trained outside of any loop that makes its batches."""

    @property
    def has_turns(self) -> bool:
        """Whether anything is known of a loop."""
        return bool(self._turns)

    def trains(self) -> None:
        """The program trains now."""
        if self._off or threading.current_thread() is not threading.main_thread():
            return
        frames = list(_users_frames())
        for depth, frame in enumerate(frames):
            if frame.f_code is self._code and self._loop is not None and frame.f_lineno in self._loop.all_lines:
                self._step_begins(direct=depth == 0)
                return
        for frame in () if self._is_sure else frames:
            if (loop := _loop_at(frame.f_code.co_filename, frame.f_lineno)) is not None:
                self._follow(frame, loop)
                return
        self.unseen += 1

    def takes_from_dataset(self) -> None:
        """A tf.data dataset gives an element: what trains now is no matter of Python."""
        if not self._is_sure:
            self._look_away()
            self._turns.clear()
            self._code = self._loop = None

    def runs_model(self) -> None:
        """A model computes something, as a GAN does what it trains on: that is work of the step, not of the input."""
        self._model_runs = True

    def end(self) -> None:
        """Never look again."""
        self._look_away()
        self._off = True

    def _look_away(self) -> None:
        if self._code is not None:
            sys.settrace(None)

    @contextmanager
    def inside_step(self) -> Iterator[None]:
        """Look away while TensorFlow or Keras are at work, which has many calls in it."""
        if sys.gettrace() != self._called:
            yield
            return
        sys.settrace(None)
        try:
            yield
        finally:
            if self._code is not None and not self._off:
                sys.settrace(self._called)

    # The loop, line by line

    def _follow(self, frame: FrameType, loop: FedLoop) -> None:
        if sys.gettrace() not in (None, self._called):
            # A debugger is at work.
            self._off = True
            return
        self._code, self._loop = frame.f_code, loop
        self._turns.clear()
        self._by_line.clear()
        self._makers.clear()
        self._times = self._line = None
        frame.f_trace = self._traced
        sys.settrace(self._called)

    def _called(self, frame: FrameType, event: str, argument: object) -> Any:
        if frame.f_code is self._code:
            return self._traced
        if self._line is None or self._model_runs or not self._feeds(self._line):
            return None
        code = frame.f_code
        if code.co_name in _RUN_MODELS and isinstance(frame.f_locals.get("self"), keras_feeds.models()):
            self._model_runs = True
        elif self._line not in self._makers and _is_users_function(code):
            is_pydataset = isinstance(frame.f_locals.get("self"), keras_feeds.pydatasets())
            kind = FeedKind.PYDATASET if is_pydataset else FeedKind.GENERATOR
            self._makers[self._line] = FeedSource(kind, places.definition(code), _name(code))
        return None

    def _traced(self, frame: FrameType, event: str, argument: object) -> Any:
        if self._off or self._loop is None or frame.f_code is not self._code:
            return None
        if event == "line":
            self._moves_to(frame.f_lineno)
        elif event == "return":
            self._moves_to(None)
        return self._traced

    def _moves_to(self, line: int | None) -> None:
        loop = self._loop
        assert loop is not None
        self._spend(feeding=not self._model_runs and self._line in loop.lines)
        if line is None or line not in loop.all_lines:
            self._times = self._line = None
            return
        if line in loop.header and self._line not in loop.header:
            self._turn_ends()
            self._times = _Times()
        self._line, self._model_runs = line, False
        self._look_at_clocks()

    def _feeds(self, line: int) -> bool:
        loop = self._loop
        return loop is not None and line in (loop.lines or (loop.line,))

    def _step_begins(self, *, direct: bool) -> None:
        """What the line did so far was to make the arguments of the call that trains."""
        if not self._model_runs and self._loop is not None and self._line is not None:
            self._spend(feeding=direct and self._feeds(self._line))
            self._look_at_clocks()
        self._model_runs = True

    def _look_at_clocks(self) -> None:
        self._since_delayed = self._delayed.seconds()
        self._since, self._since_cpu = time.perf_counter(), time.thread_time()

    def _spend(self, *, feeding: bool) -> None:
        if self._times is None or self._line is None:
            return
        seconds, cpu = time.perf_counter() - self._since, time.thread_time() - self._since_cpu
        self._times.seconds += seconds
        if feeding:
            self._times.feed.seconds += seconds
            self._times.feed.cpu_seconds += cpu
            self._times.feed.delayed_seconds += self._delayed.seconds() - self._since_delayed
            self._by_line[self._line] += seconds

    def _turn_ends(self) -> None:
        if self._times is None:
            return
        self._turns.append(self._times)
        is_long = self._times.seconds > LONG
        if self._is_sure:
            self._enough.add(self._times.seconds)
            if self._enough.is_enough or is_long:
                self.end()
                self._done()
        elif len(self._turns) >= _WARM_UP or is_long:
            self._is_sure = True
            self._warm = len(self._turns)
            self._begun()

    # What it came to

    @property
    def _counted(self) -> list[_Times]:
        return self._turns[self._warm :] or self._turns

    def consumer(self) -> Consumer:
        """The loop."""
        assert self._code is not None
        assert self._loop is not None
        source = places.source_of(places.path_of(self._code.co_filename))
        return Consumer(ConsumerKind.LOOP, source.line(self._loop.node.lineno), Purpose.TRAINING)

    def pipeline(self, consumer: Consumer, **_: object) -> Pipeline:
        """What makes its batches, as measured."""
        turns, source = self._counted, self._source()
        feeds = [turn.feed.seconds for turn in turns]
        busy = statistics.fmean(turn.feed.busy_seconds for turn in turns)
        cost = Cost(1.0, statistics.fmean(feeds), busy, 0.0 if source.kind is FeedKind.ARRAYS else busy)
        return source.pipeline(consumer, cost, source.measurement(cost, spread=of_mean(feeds), batches=len(turns)))

    def step(self) -> Step:
        """What the loop does with a batch."""
        turns = self._counted
        periods, works = [turn.seconds for turn in turns], [turn.seconds - turn.feed.seconds for turn in turns]
        return of_own_loop(periods, works, Terms(self._seconds))

    def _source(self) -> FeedSource:
        assert self._code is not None
        assert self._loop is not None
        source = places.source_of(places.path_of(self._code.co_filename))
        line = max(self._by_line, key=lambda line: self._by_line[line], default=self._loop.node.lineno)
        return self._makers.get(line) or FeedSource(FeedKind.ARRAYS, source.line(line))


@cache
def _loop_at(filename: str, line: int) -> FedLoop | None:
    return fed_loop(places.source_of(places.path_of(filename)).tree, line)


def _is_users_function(code: CodeType) -> bool:
    """Whether it has a name, as comprehensions have none, and stands in the user's files."""
    return not code.co_name.startswith("<") and places.origin(code.co_filename) is Origin.USER


def _name(code: CodeType) -> str:
    """`load`, `Loader.__next__`; before Python 3.11 without the class."""
    return str(getattr(code, "co_qualname", code.co_name)).rpartition("<locals>.")[2]


def _users_frames() -> Iterator[FrameType]:
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        if places.origin(frame.f_code.co_filename) is Origin.USER:
            yield frame
        frame = frame.f_back
