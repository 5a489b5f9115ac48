"""What costs inside the functions that take most of a pipeline's time, by TensorFlow's own trace of a short run."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import tensorflow as tf

from pipelint.display.figures import duration
from pipelint.dynamic.capture import error_lines
from pipelint.dynamic.capture.inner_calls import InnerCall, InnerCalls
from pipelint.dynamic.capture.stages import CapturedPipeline
from pipelint.dynamic.measure.disturbance import busy_seconds
from pipelint.dynamic.measure.function_trace import FunctionTimes, GraphOperation, function_times, trace
from pipelint.dynamic.measure.serialized_graph import Branch, DatasetGraph
from pipelint.dynamic.measure.stages_of_nodes import StagesOfNodes
from pipelint.model.cost import Cost, InnerCost, Inside
from pipelint.model.pipeline import Stage

_DOMINATES = 1 / 3
"""The share of the work from which a function is looked into: were less than that free, it would give 1.5x at most."""
_TRACED_SECONDS = 0.4
_LONGEST_SECONDS = 0.5
"""How long an element may take to make: two are made before it is known how many there is time for."""
_MOST_EVENTS = 50_000
"""Reading so many takes about as long as the run that they tell of."""
_QUIET = 0.5
"""How many processors others may use before the usual run of an operation tells more than all of them."""
_SHUFFLED = 2
"""Elements in shuffle buffers, which have to be made before the first one comes out."""
_NEGLIGIBLE = 0.005
"""The least share that is told, as what is less is shown as nothing."""


def look_inside(
    graph: DatasetGraph, stages: StagesOfNodes, captured: CapturedPipeline, costs: Mapping[Stage, Cost]
) -> dict[Stage, Inside]:
    """What the calls take in each function that takes much of the work, or why that cannot be told."""
    look, total = _Look(graph, stages, captured, costs), sum(cost.seconds for cost in costs.values())
    dearest = [stage for stage, cost in costs.items() if cost.seconds > _DOMINATES * total]
    # A generator is Python alone, and the functions around it are not the user's.
    return {stage: look.told(stage) for stage in dearest if stage.function and stage.op != "from_generator"}


@dataclass(frozen=True)
class _Look:
    """At a pipeline whose costs are known."""

    graph: DatasetGraph
    stages: StagesOfNodes
    captured: CapturedPipeline
    costs: Mapping[Stage, Cost]

    def told(self, stage: Stage) -> Inside:
        """What the calls in the function of a stage take."""
        try:
            return self._inside(stage)
        except Exception as error:  # noqa: BLE001 - all else has been measured, and must not be lost for this
            return Inside(untold=error_lines.summary(error))

    def _inside(self, stage: Stage) -> Inside:
        sequential = self.graph.with_small_shuffles(_SHUFFLED).in_sequence(in_line=False)
        tree = sequential.branches(self.stages)
        if self._seconds_of_element(tree.stage) > _LONGEST_SECONDS:
            # What a batch is made of comes sooner than the batch.
            tree = _outermost(tree, stage)
            sequential = sequential.cut_at(tree.node, 1)
        seconds = self._seconds_of_element(tree.stage)
        if seconds > _LONGEST_SECONDS:
            return Inside(untold=f"an element takes {duration(seconds)} to make")
        own = FunctionTimes()
        busy, cpu, begun = busy_seconds(), time.process_time(), time.perf_counter()
        for branch, times in function_times(_events(sequential), tree).items():
            if branch.stage is stage:
                own.add(times)
        others = busy_seconds() - busy - (time.process_time() - cpu)
        disturbed = others > _QUIET * (time.perf_counter() - begun)
        if not own.between:
            return Inside(untold="TensorFlow's trace does not show its calls")
        operations = own.operations(disturbed=disturbed)
        return _shares(operations, own.between, self._calls(stage), self._seconds_of_call(stage))

    def _seconds_of_element(self, stage: Stage | None) -> float:
        if stage is None or not self.costs[stage].elements:
            return 0.0
        parts = (stage, *stage.upstream(inside=True))
        return sum(self.costs[part].seconds for part in parts if part in self.costs) / self.costs[stage].elements

    def _seconds_of_call(self, stage: Stage) -> float:
        calls = sum(self.costs[part].elements for part in stage.inputs)
        return self.costs[stage].seconds / calls if calls else 0.0

    def _calls(self, stage: Stage) -> InnerCalls:
        wrappers = [wrapper for part in self.captured.parts[stage] for wrapper in part._functions()]
        return InnerCalls([wrapper.function.graph for wrapper in wrappers])


def _outermost(tree: Branch, stage: Stage) -> Branch:
    """The dataset of the main graph that the stage is, or in whose function it stands."""
    for branch in tree.walk(inside=False):
        inner = (piece for part in branch.inner for piece in part.walk())
        if any(part.stage is stage for part in (branch, *inner)):
            return branch
    raise LookupError("it has no dataset of its own")


def _events(graph: DatasetGraph) -> list[Any]:
    """What TensorFlow notes of as many elements as there is time for."""
    options = tf.data.Options()
    options.autotune.enabled = True
    options.experimental_optimization.apply_default_optimizations = False
    # With one thread, operations take turns, and what they take adds up to what the function takes.
    options.threading.private_threadpool_size = 1
    iterator = iter(graph.dataset().with_options(options))
    next(iterator)
    begun = time.perf_counter()
    events = trace(lambda: _take(iterator, 1))
    fitting = min(_TRACED_SECONDS / (time.perf_counter() - begun), _MOST_EVENTS / len(events))
    return trace(lambda: _take(iterator, int(fitting))) if fitting >= 2 else events


def _take(iterator: Any, count: int) -> None:
    end = time.perf_counter() + _TRACED_SECONDS
    for _ in range(count):
        next(iterator)
        if time.perf_counter() > end:
            return


def _shares(
    operations: Mapping[GraphOperation, float], between: list[float], calls: InnerCalls, seconds_of_call: float
) -> Inside:
    """What each call takes of the whole, which is the operations and what TensorFlow does between them."""
    by_call: dict[InnerCall, float] = defaultdict(float)
    for operation, seconds in operations.items():
        call = calls.running_as(operation.name)
        if call is not None:
            by_call[call] += seconds
    working, count = sum(operations.values()), len(between)
    # Other programs make calls wait: no more than in the quicker ones, and in what was measured with nobody about.
    usual = min(sorted(between)[count // 4], max(0.0, seconds_of_call - working / count))
    whole = working + usual * count
    shares = {call: seconds / whole for call, seconds in by_call.items() if seconds >= _NEGLIGIBLE * whole}
    dearest = sorted(shares, key=lambda call: -shares[call])
    return Inside(tuple(InnerCost(call.name, shares[call], call.place, call.python) for call in dearest))
