"""What TensorFlow's own profiler notes of a running pipeline: the time of each operation in the functions it calls."""

from __future__ import annotations

import re
import statistics
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import tensorflow as tf

from pipelint.dynamic.measure.engine import EngineNode, Snapshot, assign
from pipelint.dynamic.measure.serialized_graph import Branch
from pipelint.knowledge import graph_ops

_OURS = "pipelint"
_PICOSECONDS = 1e12
_INTERRUPTED = 8
"""How many times the usual an operation takes when another program had the processor meanwhile."""
_ITERATOR = "Iterator::"
_CALL = "InstantiatedCapturedFunction::"
_EXECUTOR = "ExecutorState::Process"
_STARTED, _DONE = "ExecutorState::ProcessAsync::Start", "ExecutorState::ProcessAsync::Done"
"""The ends of an operation that does not keep its thread, such as a call of another function."""


class GraphOperation(NamedTuple):
    """An operation of a function, by the name under which TensorFlow runs it."""

    name: str
    type: str

    def seconds(self, runs: list[float], *, disturbed: bool) -> float:
        """What its runs take in all, if other programs let them; one that may wait takes what it takes."""
        if self.type in graph_ops.PYTHON or self.type.startswith(graph_ops.READERS):
            return sum(runs)
        usual = statistics.median(runs)
        if disturbed:
            return usual * len(runs)
        return statistics.fmean(run for run in runs if run <= _INTERRUPTED * usual) * len(runs)


@dataclass
class FunctionTimes:
    """What the functions of one dataset took in a trace."""

    runs: dict[GraphOperation, list[float]] = field(default_factory=lambda: defaultdict(list))
    """The seconds of each run of an operation."""
    between: list[float] = field(default_factory=list)
    """The seconds of each call in which no operation ran."""

    def operations(self, *, disturbed: bool) -> dict[GraphOperation, float]:
        """The seconds of each operation in all; other programs may have disturbed many of its runs."""
        return {operation: operation.seconds(runs, disturbed=disturbed) for operation, runs in self.runs.items()}

    def add(self, other: FunctionTimes) -> None:
        """Count what another iterator of the same dataset took, too."""
        self.between += other.between
        for operation, runs in other.runs.items():
            self.runs[operation] += runs


def trace(work: Callable[[], None]) -> list[Any]:
    """The events of some work, in the order in which they began; raises TensorFlow's errors where it cannot trace."""
    from tensorflow.python.profiler.internal import _pywrap_profiler
    from tensorflow.tsl.profiler.protobuf import trace_events_pb2

    session = _pywrap_profiler.ProfilerSession()
    # By default it notes all operations but those that TensorFlow takes for cheap.
    session.start("", {})
    try:
        with tf.profiler.experimental.Trace(_OURS):
            work()
    finally:
        noted = session.stop()
    events = trace_events_pb2.Trace.FromString(noted).trace_events
    return sorted(events, key=lambda event: (event.timestamp_ps, -event.duration_ps))


def function_times(events: Iterable[Any], tree: Branch) -> dict[Branch, FunctionTimes]:
    """What the functions took that the datasets of a graph in sequence call."""
    reading = _Reading()
    for event in events:
        reading.add(event)
    for call in reading.calls.values():
        reading.times[call.iterator].between.append(max(0.0, call.seconds))
    found: dict[Branch, FunctionTimes] = defaultdict(FunctionTimes)
    names = reading.in_order()
    for number, parts in assign(_engine(names, reading.takers), tree).items():
        found[parts[-1]].add(reading.times[names[number]])
    return dict(found)


@dataclass
class _Call:
    iterator: str
    seconds: float
    """Less and less of it, as the operations become known."""


@dataclass
class _Reading:
    """Goes through the events, each behind those around it in its thread."""

    times: dict[str, FunctionTimes] = field(default_factory=dict)
    """By the name of an iterator, which is the way from the end of the pipeline to it."""
    takers: dict[str, str] = field(default_factory=dict)
    """The iterator that each one was called by."""
    calls: dict[str, _Call] = field(default_factory=dict)
    """The calls of functions, by their numbers."""
    _open: dict[int, list[Any]] = field(default_factory=lambda: defaultdict(list))
    _started: dict[tuple[str, str], list[int]] = field(default_factory=lambda: defaultdict(list))

    def add(self, event: Any) -> None:
        """Take note of the next one."""
        around = self._open[event.resource_id]
        while around and _end(around[-1]) <= event.timestamp_ps:
            around.pop()
        if event.name.startswith(_ITERATOR) and any(other.name == _OURS for other in around):
            self._add_iterator(event, _innermost(around, _ITERATOR))
        elif event.name.startswith(_CALL):
            self._add_call(event, _innermost(around, _ITERATOR))
        elif event.name == _STARTED:
            self._started[event.args["step_id"], event.args["name"]].append(event.timestamp_ps)
        elif event.name == _DONE and (begun := self._started[event.args["step_id"], event.args["name"]]):
            operation = GraphOperation(event.args["name"], event.args["kernel_type"])
            self._add_run(event.args["step_id"], operation, event.timestamp_ps - begun.pop(0))
        elif _is_operation(event) and (executor := _innermost(around, _EXECUTOR)) is not None:
            operation = GraphOperation(event.args["long_name"].rpartition(":")[0], event.name)
            self._add_run(executor.args["id"], operation, event.duration_ps)
        around.append(event)

    def _add_iterator(self, event: Any, taker: Any | None) -> None:
        self.times.setdefault(_name(event), FunctionTimes())
        if taker is not None:
            self.takers[_name(event)] = _name(taker)

    def _add_call(self, event: Any, caller: Any | None) -> None:
        # Other pipelines of the program may run meanwhile.
        if caller is not None and _name(caller) in self.times:
            self.calls[event.args["id"]] = _Call(_name(caller), event.duration_ps / _PICOSECONDS)

    def _add_run(self, number: str, operation: GraphOperation, picoseconds: int) -> None:
        call = self.calls.get(number)
        # The functions that an operation calls in turn are part of it.
        if call is not None:
            self.times[call.iterator].runs[operation].append(picoseconds / _PICOSECONDS)
            call.seconds -= picoseconds / _PICOSECONDS

    def in_order(self) -> list[str]:
        """The iterators: inputs as written before what functions returned, and these in the order of their numbers."""
        return sorted(self.times, key=lambda name: re.sub(r"\d+", lambda digits: digits.group().zfill(12), name))


def _engine(names: list[str], takers: Mapping[str, str]) -> Snapshot:
    """The iterators as the engine itself would tell of them."""
    inputs: dict[str | None, list[int]] = defaultdict(list)
    for number, name in enumerate(names):
        inputs[takers.get(name)].append(number)
    nodes = {number: EngineNode(_kind(name), tuple(inputs[name])) for number, name in enumerate(names)}
    return Snapshot(nodes, inputs[None][0], ())


def _end(event: Any) -> int:
    return int(event.timestamp_ps + event.duration_ps)


def _name(iterator: Any) -> str:
    """The way from the end of the pipeline to an iterator; the end itself has no other name."""
    return str(iterator.args.get("long_name", iterator.name))


def _kind(name: str) -> str:
    return name.rpartition("::")[2]


def _innermost(around: Sequence[Any], beginning: str) -> Any | None:
    return next((event for event in reversed(around) if event.name.startswith(beginning)), None)


def _is_operation(event: Any) -> bool:
    """Whether an event is a run of an operation, whose long name is its own and its type."""
    return "long_name" in event.args and str(event.args["long_name"]).endswith(f":{event.name}")
