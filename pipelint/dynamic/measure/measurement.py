"""Measures a live pipeline: what each stage costs in sequence, and how fast it is in the user's own setting."""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import tensorflow as tf

from pipelint.display.figures import size
from pipelint.dynamic.capture import error_lines
from pipelint.dynamic.capture.stages import CapturedPipeline
from pipelint.dynamic.measure.attribution import Attribution, attribute
from pipelint.dynamic.measure.drain import Drain, EmptyDatasetError, Run, drained
from pipelint.dynamic.measure.engine import EngineNode, Snapshot, assign
from pipelint.dynamic.measure.inside_functions import look_inside
from pipelint.dynamic.measure.measured_run import measured_pipeline
from pipelint.dynamic.measure.processors_and_memory import cores, enough_threads, resident_bytes
from pipelint.dynamic.measure.serialized_graph import Branch, DatasetGraph
from pipelint.dynamic.measure.stages_of_nodes import StagesOfNodes, stages_of_nodes
from pipelint.knowledge.graph_ops import CACHES, dataset_family
from pipelint.model.consumer import Consumer
from pipelint.model.cost import Cost, Measurement, Start
from pipelint.model.locations import Place
from pipelint.model.pipeline import Pipeline, Stage

TellProgress = Callable[[str, float], None]
_SMALL_SHUFFLE = 256
_FILL_SHARE = 0.3
"""The part of the time that filling shuffle buffers may take before smaller ones stand in for them."""
_FELT_FILL = 0.5
"""Seconds from which a buffer that holds most of an epoch is made smaller: less is lost in what several starts take."""
_MOST = 0.5
_SERIALIZED_AT_MOST = 1 << 30
"""Data in memory beyond this is not copied into a serialized graph."""
_STAGES, _THROUGHPUT, _BEST = 0.5, 0.3, 0.2
"""The parts of the time for each stage by itself, for the user's setting and for the best one."""
_ROUGH = 0.5
"""How many processors others may take before it has to be said."""
_WAITS = 0.3
"""The part of a pipeline's time that must be waiting before more threads than processors are tried."""
_CACHING_SECONDS = 1.0
_CACHED_BATCHES = range(4, 65)


def measure(
    dataset: Any, captured: CapturedPipeline, consumer: Consumer, *, seconds: float, progress: TellProgress
) -> list[Pipeline]:
    """Measure a dataset in about so many seconds; with a cache in it, its first and its later epochs apart.

    Where no epoch follows the first one, there is nothing to tell of later ones.
    """
    pipeline = captured.pipeline.consumed_by(consumer)
    graph = serialized(dataset, pipeline)
    if isinstance(graph, str):
        return [_Measuring(pipeline, dataset, None, captured, {}, seconds, progress, why_whole=graph).run()]
    stages = stages_of_nodes(graph, dataset, captured)
    if not any(branch.op in CACHES for branch in graph.branches(stages).walk()):
        return [_Measuring(pipeline, dataset, graph, captured, stages, seconds, progress).run()]
    uncached = graph.without_caches().without_end()
    if buffers := [stage.shuffle_buffer for stage in pipeline.stages if stage.shuffle_buffer is not None]:
        # From sources without an end they would take more than there is.
        uncached = uncached.with_small_shuffles(max(buffers))
    epoch = Measurement("first")
    first = _Measuring(pipeline, uncached.dataset(), uncached, captured, stages, seconds / 2, progress, epoch)
    return [first.run()] if consumer.once else [first.run(), first.later(graph).run()]


def stand_in(dataset: Any, measured: Pipeline, seconds: float) -> Any:
    """The dataset with small shuffle buffers, where those of the user take too long to fill; else None."""
    costs = {stage: stage.cost for stage in measured.every_stage if stage.cost is not None}
    is_cached = measured.measurement is not None and measured.measurement.epoch is not None
    if is_cached or not fills_late(measured, costs, seconds):
        return None
    graph = serialized(dataset, measured)
    return None if isinstance(graph, str) else graph.with_small_shuffles(_SMALL_SHUFFLE).dataset()


def fills_late(pipeline: Pipeline, costs: Mapping[Stage, Cost], seconds: float) -> bool:
    """Whether shuffle buffers are not full, at the sequential speed, in a part of so many seconds.

    Those that hold most of an epoch, dear to make, would be timed while they empty.
    """
    fills = {stage: _seconds_to_fill(stage, costs) for stage in pipeline.every_stage}
    holds_most = any(fill > _FELT_FILL and _holds_most(stage) for stage, fill in fills.items())
    return holds_most or max(fills.values()) > _FILL_SHARE * seconds


def _holds_most(stage: Stage) -> bool:
    count = next((part.cardinality for part in stage.inputs if (part.cardinality or 0) > 0), None)
    return count is not None and (stage.shuffle_buffer or 0) > _MOST * count


def _seconds_to_fill(stage: Stage, costs: Mapping[Stage, Cost]) -> float:
    own, size = costs.get(stage, Cost()), stage.shuffle_buffer
    if size is None or not own.elements:
        return 0.0
    parts = (stage, *stage.upstream(inside=True))
    return size * sum(costs[part].seconds for part in parts if part in costs) / own.elements


def serialized(dataset: Any, pipeline: Pipeline) -> DatasetGraph | str:
    """The dataset's graph; where it holds too much data, or what TensorFlow cannot write down, that."""
    held = sum(
        (stage.element_bytes or 0) * max(stage.cardinality or 0, 0)
        for stage in pipeline.every_stage
        if stage.op in ("from_tensor_slices", "from_tensors")
    )
    if held > _SERIALIZED_AT_MOST:
        return f"it holds {size(held)} in memory"
    try:
        return DatasetGraph.of(dataset).with_little_data()
    except (tf.errors.OpError, ValueError) as error:
        return error_lines.summary(error)


@dataclass
class _Measuring:
    """One dataset being measured, in one kind of epoch."""

    pipeline: Pipeline
    dataset: Any
    graph: DatasetGraph | None
    captured: CapturedPipeline
    stages: StagesOfNodes
    seconds: float
    progress: TellProgress
    known: Measurement = field(default_factory=Measurement)
    """What is known of the whole so far."""
    costs: dict[Stage, Cost] = field(default_factory=dict)
    warm_batches: int = 1
    """How many must be taken before what comes is like all that follows."""
    why_whole: str = ""
    """Why its stages cannot be run one by one, where they cannot."""

    def later(self, graph: DatasetGraph) -> _Measuring:
        """The same pipeline with its caches full: small ones of its own, which take a moment to fill."""
        batch_seconds = sum(cost.seconds for cost in self.costs.values()) or _CACHING_SECONDS
        batches = min(max(int(_CACHING_SECONDS / batch_seconds), _CACHED_BATCHES.start), _CACHED_BATCHES.stop)
        cached = [stage.inputs[0] for stage in self.pipeline.every_stage if stage.op == "cache" and stage.inputs]
        held = max((self.costs[stage].elements for stage in cached if stage in self.costs), default=1.0)
        small = graph.with_small_caches(math.ceil(batches * held))
        return replace(
            self,
            dataset=small.dataset(),
            graph=small,
            known=Measurement("later"),
            costs={},
            warm_batches=batches + _CACHED_BATCHES.start,
        )

    def run(self) -> Pipeline:
        """All of it, or as much as the dataset lets us measure, with a note that says why."""
        try:
            told_apart = self._succeeds(self._attribute)
            self._throughput()
            if not told_apart:
                self._note(f"only the whole was measured, since its stages cannot be run one by one: {self.why_whole}")
            self._succeeds(self._best)
            self._succeeds(self._look_inside)
        except EmptyDatasetError:
            self._note("the dataset has no elements")
        except tf.errors.OpError as error:
            place = error_lines.place_of(error) or error_lines.shown(self._stage_that_raised(error))
            self._note(f"{place}: " * bool(place) + f"the dataset raised {error_lines.summary(error)}")
        return measured_pipeline(self.pipeline, self.costs, self.known)

    def _succeeds(self, step: Callable[[DatasetGraph], None]) -> bool:
        """Whether a step on a rewritten graph went well; what is wrong with the user's own comes out without it."""
        try:
            if self.graph is not None:
                step(self.graph)
        except tf.errors.OpError as error:
            self.why_whole = error_lines.summary(error)
            return False
        return self.graph is not None

    def _attribute(self, graph: DatasetGraph) -> None:
        sequential = self._endless(graph).with_small_shuffles(_SMALL_SHUFFLE).in_sequence()
        attribution = attribute(
            sequential,
            sequential.branches(self.stages),
            seconds=_STAGES * self.seconds,
            warm_batches=self.warm_batches,
            progress=lambda share: self.progress("measuring each stage", _STAGES * share),
        )
        self.costs = self._costs_of_all(attribution)
        self.known = replace(self.known, batches=attribution.batches)

    def _endless(self, graph: DatasetGraph) -> DatasetGraph:
        return graph.without_end() if self.known.epoch is None else graph

    def _costs_of_all(self, attribution: Attribution) -> dict[Stage, Cost]:
        """What each stage costs; one that was left out, such as a prefetch, passes on what its input gives."""
        costs: dict[Stage, Cost] = {}
        for stage in self.pipeline.every_stage:
            given = costs[stage.inputs[0]] if stage.inputs else Cost()
            passed = Cost(given.elements, bytes_per_element=given.bytes_per_element)
            costs[stage] = attribution.costs.get(stage, passed)
        return costs

    def _throughput(self) -> None:
        dataset = self._as_the_user_runs_it()
        held_before = resident_bytes()
        run = drained(
            lambda: Drain(dataset, warm_batches=self.warm_batches),
            _THROUGHPUT * self.seconds,
            lambda share: self.progress("measuring throughput", _STAGES + _THROUGHPUT * share),
        )
        self.known = replace(
            self.known,
            batches_per_second=run.rate,
            timeline=tuple(run.timeline),
            spread=run.spread,
            cores_used=run.cores_used,
            start=self._start(run),
            memory_bytes=max(0, run.peak_bytes - held_before) if run.peak_bytes else None,
            batches=self.known.batches + run.batches,
        )
        self._as_it_ran(run)
        if run.disturbance > _ROUGH:
            self._note(f"the figures are rough: others took {run.disturbance:.1f} of {cores()} processors meanwhile")

    def _best(self, graph: DatasetGraph) -> None:
        """Run the pipeline with everything parallel that can be, and with threads in plenty where work waits."""
        nodes = {name for (function, name), stage in self.stages.items() if stage.several and not function}
        dataset = self._endless(graph).with_small_shuffles(_SMALL_SHUFFLE).in_parallel(nodes).dataset()
        costs = self.costs.values()
        if sum(cost.seconds - cost.cpu_seconds for cost in costs) > _WAITS * sum(cost.seconds for cost in costs):
            options = tf.data.Options()
            options.threading.private_threadpool_size = enough_threads(cores())
            dataset = dataset.with_options(options)
        run = Drain(dataset, warm_batches=self.warm_batches).run(
            _BEST * self.seconds, lambda share: self.progress("trying the best setting", 1 - _BEST * (1 - share))
        )
        # Where others take the processors, more threads of ours show less than they would give.
        if run.disturbance <= _ROUGH:
            self.known = replace(self.known, best_batches_per_second=run.rate)

    def _look_inside(self, graph: DatasetGraph) -> None:
        for stage, inside in look_inside(self._endless(graph), self.stages, self.captured, self.costs).items():
            self.costs[stage] = replace(self.costs[stage], inside=inside)

    def _as_the_user_runs_it(self) -> Any:
        dataset = self.dataset
        if self.graph is not None and self._fills_late:
            self._note("measured with smaller shuffle buffers, since these take long to fill, or hold most of an epoch")
            dataset = self.graph.with_small_shuffles(_SMALL_SHUFFLE).dataset()
        if any(consumer.in_tf_function for consumer in self.pipeline.consumers):
            # Iterated there, TensorFlow does not insert a prefetch.
            options = tf.data.Options()
            options.experimental_optimization.inject_prefetch = False
            dataset = dataset.with_options(options)
        return dataset

    def _start(self, run: Run) -> Start | None:
        """What an iterator took to its first batch; nothing where it had to fill caches that are full in truth."""
        if self.known.epoch == "later":
            return None
        return replace(run.start, buffers_at_most=_SMALL_SHUFFLE if self._fills_late else None)

    @property
    def _fills_late(self) -> bool:
        return fills_late(self.pipeline, self.costs, self.seconds)

    def _as_it_ran(self, run: Run) -> None:
        """Note the parallelism that was used, the buffers, and what TensorFlow rewrote."""
        if run.last is None or self.graph is None:
            return
        tree = self.graph.branches(self.stages)
        ran: dict[Stage, tuple[EngineNode, Branch]] = {}
        for key, parts in assign(run.last, tree).items():
            for part in parts:
                if part.stage is not None and part.stage not in ran:
                    ran[part.stage] = (run.last.nodes[key], part)
        began = self._starts_of_sources(run.first, tree)
        for stage, (node, branch) in ran.items():
            self.costs[stage] = replace(
                self.costs.get(stage, Cost()),
                parallelism=node.parallelism or 1.0,
                rewritten=node.name if _is_rewritten(node, branch) else None,
                buffered_bytes=float(node.buffered_bytes),
                buffered_elements=float(node.buffered_elements),
                start_seconds=began.get(stage, 0.0),
            )
        names = [node.name for node in run.last.nodes.values()]
        written = sum(branch.op == "PrefetchDataset" for branch in tree.walk())
        self.known = replace(self.known, prefetch_injected=names.count("Prefetch") > written)

    def _starts_of_sources(self, first: Snapshot | None, tree: Branch) -> dict[Stage, float]:
        """What sources took up to the first batch, beyond what so many elements of theirs cost later on."""
        if first is None:
            return {}
        nodes: dict[Stage, list[EngineNode]] = defaultdict(list)
        for key, parts in assign(first, tree).items():
            stage = parts[-1].stage
            if stage is not None and stage.is_source and not stage.inputs:
                nodes[stage].append(first.nodes[key])
        began = {}
        for stage, seen in nodes.items():
            steady = self.costs.get(stage, Cost())
            usual = max(node.elements for node in seen) * steady.seconds / steady.elements if steady.elements else 0.0
            began[stage] = max(0.0, sum(node.seconds for node in seen) - usual)
        return began

    def _stage_that_raised(self, error: Any) -> Place | None:
        """The place of the stage whose function holds the node that an error names."""
        if self.graph is None:
            return None
        for branch in self.graph.branches(self.stages).walk():
            names = {str(node.name) for node in self.graph.ops_of(branch.functions)}
            if branch.stage is not None and names & set(re.findall(r"node ([^\s}]+)", str(error))):
                return branch.stage.place
        return None

    def _note(self, text: str) -> None:
        self.known = replace(self.known, note="; ".join(filter(None, [self.known.note, text])))


def _is_rewritten(node: EngineNode, branch: Branch) -> bool:
    if dataset_family(node.name) != dataset_family(branch.op):
        return True
    return node.name.startswith("Parallel") is not branch.op.startswith("Parallel")
