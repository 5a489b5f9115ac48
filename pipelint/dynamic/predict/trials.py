"""What-ifs of structure: predicted from the costs of the stages, then run in turns with the pipeline as it is."""

from __future__ import annotations

import itertools
import math
import statistics
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any, TypeVar

from pipelint.dynamic.capture import stages as live_stages
from pipelint.dynamic.capture.stages import CapturedPipeline
from pipelint.dynamic.measure import repeatability
from pipelint.dynamic.measure.batched_functions import COMPARED, give_the_same, seconds_of
from pipelint.dynamic.measure.measurement import serialized
from pipelint.dynamic.measure.serialized_graph import DatasetGraph
from pipelint.dynamic.measure.stages_of_nodes import stages_of_nodes
from pipelint.dynamic.measure.turns import ratio_of_rates, seconds_to_start
from pipelint.dynamic.predict.rate_model import RateModel, cost_of
from pipelint.dynamic.profile import WORTHWHILE
from pipelint.knowledge.graph_ops import dataset_family
from pipelint.knowledge.stages import FREE, PREFETCHES, SHUFFLES
from pipelint.model.cost import Cost, TrialRun
from pipelint.model.definitions import Effect
from pipelint.model.pipeline import Pipeline, Stage

_MOST = 3
"""Trials of one pipeline: each takes a second or two."""
_NOTABLE = 0.1
"""The share of the time from which it is worth a trial to do work in another way."""
_COPIES_MUCH = 0.25
"""The share of a batch from which copying its elements in parallel may show."""
_SMALL_SHUFFLE = 256
_FILL_SECONDS = 0.1
"""What filling a shuffle buffer may take at each start before a small one stands in for it."""
_CACHED_BATCHES = 16
"""Batches in the small cache that stands for a full one."""
_PASS_ROWS = FREE | SHUFFLES | PREFETCHES
"""Stages that give the same elements whether a function is applied before them or behind the batch."""
_START_SECONDS = 0.2
"""What dropping elements may take at each start; more of them take in proportion."""

_Result = TypeVar("_Result")
Tried = tuple[Stage, TrialRun]
"""A trial, and the stage that it is about."""
Attempt = Callable[[], Tried | None]


def try_changes(
    dataset: Any, pipeline: Pipeline, cores: int, *, seconds: float, progress: Callable[[float], None]
) -> None:
    """Give the stages of a measured pipeline what another place or setting of them gave.

    Nothing is claimed of a change that cannot be made, gives other elements, or fails.
    """
    if not any(stage.op in ("map", "batch") and _share([stage]) >= _NOTABLE for stage in pipeline.stages):
        return
    captured = live_stages.describe(dataset)
    graph = serialized(dataset, captured.pipeline)
    if isinstance(graph, str):
        return
    live = _LivePipeline(dataset, captured, graph, RateModel(pipeline, cores), seconds / _MOST)
    for number, attempt in enumerate(_attempts(live)[:_MOST]):
        progress(number / _MOST)
        if (tried := _unless_it_fails(attempt)) is not None:
            stage, trial = tried
            stage.tried = trial


def _unless_it_fails(attempt: Callable[[], _Result | None]) -> _Result | None:
    try:
        return attempt()
    except Exception:  # noqa: BLE001 - a change that cannot be made, or run, is none to advise
        return None


@dataclass
class _LivePipeline:
    """A measured pipeline, with the dataset and the graph to try changes on."""

    dataset: Any
    captured: CapturedPipeline
    serialized: DatasetGraph
    model: RateModel
    seconds: float
    """For one trial."""

    @property
    def stages(self) -> tuple[Stage, ...]:
        """The stages outside of functions that the user wrote, as measured."""
        return tuple(stage for stage in self.model.pipeline.stages if stage in self._nodes and not stage.helper)

    @cached_property
    def graph(self) -> DatasetGraph:
        """The pipeline as it runs in the epochs that were measured, without an end, with buffers that fill soon."""
        fills = all(_seconds_to_fill(stage) <= _FILL_SECONDS for stage in self.model.pipeline.every_stage)
        graph = self.serialized if fills else self.serialized.with_small_shuffles(_SMALL_SHUFFLE)
        return graph.with_small_caches(self._cached_elements) if self._is_cached else graph.without_end()

    @property
    def _is_cached(self) -> bool:
        return self.model.measurement.epoch == "later"

    @property
    def _cached_elements(self) -> int:
        held = [cost_of(stage).elements for stage in self.model.pipeline.every_stage if stage.op == "cache"]
        return math.ceil(_CACHED_BATCHES * max(held, default=1.0)) or 1

    def node(self, stage: Stage) -> str:
        """The name of a stage's dataset in the graph."""
        return self._nodes[stage]

    @cached_property
    def _nodes(self) -> dict[Stage, str]:
        measured = dict(zip(self.captured.pipeline.every_stage, self.model.pipeline.every_stage, strict=True))
        tree = self.serialized.branches(stages_of_nodes(self.serialized, self.dataset, self.captured))
        return {
            measured[branch.stage]: branch.node
            for branch in tree.walk(inside=False)
            if branch.stage is not None and dataset_family(branch.op) == branch.stage.op
        }

    def mapped(self, stage: Stage) -> Any:
        """The live dataset of a map."""
        captured = self.captured.pipeline.every_stage[self.model.pipeline.numbers[stage]]
        return next(part for part in self.captured.parts[captured] if hasattr(part, "_map_func"))

    def predicted(self, changed: Mapping[Stage, Cost]) -> float:
        """What other costs of some stages would give."""
        costs = {stage: changed.get(stage, cost_of(stage)) for stage in self.model.pipeline.every_stage}
        other = RateModel(self.model.pipeline.measured(costs, self.model.measurement), self.model.cores)
        return other.limit(other.current).rate / self.model.limit(self.model.current).rate

    def compared_with(self, changed: DatasetGraph, predicted: float | None) -> TrialRun:
        """What a changed pipeline gives, run in turns with this one."""
        warm = _CACHED_BATCHES + 1 if self._is_cached else 1
        ratio = ratio_of_rates(self.graph.dataset(), changed.dataset(), seconds=self.seconds, warm_batches=warm)
        return TrialRun(ratio.middle, ratio.spread, predicted)


def _attempts(live: _LivePipeline) -> list[Attempt]:
    """What is worth a trial, the dearest first."""
    found: list[tuple[float, Attempt]] = []
    for stage in live.stages:
        if stage.op in ("skip", "shard") and (maps := _costly(_maps_before(stage, PREFETCHES, live))):
            drop = _skip_earlier if stage.op == "skip" else _shard_earlier
            found.append((_share(maps), partial(drop, live, stage, maps)))
        elif stage.op == "batch":
            before = _maps_before(stage, _PASS_ROWS, live)
            if maps := _costly([*itertools.takewhile(lambda each: _may_take_batches(each, live), before)]):
                found.append((_share(maps), partial(_batch_earlier, live, stage, maps)))
            if _share([stage]) >= _COPIES_MUCH:
                found.append((_share([stage]), partial(_parallel_batch, live, stage)))
    return [attempt for _, attempt in sorted(found, key=lambda each: each[0], reverse=True)]


def _seconds_to_fill(stage: Stage) -> float:
    """How long a shuffle buffer takes to fill."""
    size, own = _constant(stage, "buffer_size"), cost_of(stage).elements
    if stage.op not in SHUFFLES or not size or not own:
        return 0.0
    return float(size) / own * sum(cost_of(part).seconds for part in stage.upstream(inside=True))


def _maps_before(stage: Stage, passed: Collection[str], live: _LivePipeline) -> list[Stage]:
    """The maps on the way up from a stage, nearest first, with nothing but these stages between, and no other taker."""
    own = set(live.stages)

    def changes_places(each: Stage) -> bool:
        is_known = each in own if each.op == "map" else each.op in passed and not each.helper
        return is_known and len(each.outputs) == 1

    return [each for each in itertools.takewhile(changes_places, stage.straight_up()) if each.op == "map"]


def _costly(maps: list[Stage]) -> list[Stage]:
    """The same up to the farthest that costs anything."""
    while maps and _share(maps[-1:]) < _NOTABLE:
        maps = maps[:-1]
    return maps


def _share(stages: Collection[Stage]) -> float:
    return sum(stage.share or 0.0 for stage in stages)


def _may_take_batches(stage: Stage, live: _LivePipeline) -> bool:
    """Whether nothing speaks against giving a function whole batches: what reads or decodes takes single texts."""
    function = stage.function
    reads = function is None or any(cause.effect is not Effect.STATE for cause in function.causes)
    return not reads and not live.serialized.changes_state(live.node(stage))


def _batch_earlier(live: _LivePipeline, batch: Stage, maps: list[Stage]) -> Tried | None:
    """The batch before as many of the maps as give the same for whole batches."""
    for count in range(len(maps), 0, -1):
        trial = _unless_it_fails(partial(_behind_batch, live, batch, maps[:count]))
        if trial is not None:
            return maps[count - 1], trial
    return None


def _behind_batch(live: _LivePipeline, batch: Stage, maps: list[Stage]) -> TrialRun | None:
    nodes, farthest = [live.node(stage) for stage in maps], maps[-1]
    spec = live.mapped(farthest)._input_dataset.element_spec
    moved = batches = live.graph.before(live.node(batch), nodes, spec).dataset().batch(**_batching(batch))
    on_batches, on_elements = [], []
    for stage in reversed(maps):
        written = live.mapped(stage)._map_func
        moved = moved.map(written._func, num_parallel_calls=_constant(stage, "num_parallel_calls"))
        on_batches.append(moved._map_func.function)
        on_elements.append(written.function)
    seen = list(batches.take(COMPARED))
    if not give_the_same(seen, on_batches, on_elements):
        return None
    made = cost_of(batch).elements
    seconds = seconds_of(seen[0], on_batches) * made
    costs = {stage: replace(cost_of(stage), seconds=0.0, cpu_seconds=0.0) for stage in maps}
    costs[farthest] = replace(cost_of(farthest), elements=made, seconds=seconds, cpu_seconds=seconds)
    predicted = live.predicted(costs)
    if predicted < WORTHWHILE:
        return None
    return live.compared_with(live.graph.behind(live.node(batch), DatasetGraph.of(moved)), predicted)


def _batching(batch: Stage) -> dict[str, Any]:
    given = {name: _constant(batch, name) for name in ("batch_size", "num_parallel_calls", "drop_remainder")}
    return {name: value for name, value in given.items() if value is not None}


def _constant(stage: Stage, name: str) -> Any:
    argument = stage.argument(name)
    return argument.constant if argument is not None else None


def _shard_earlier(live: _LivePipeline, shard: Stage, maps: list[Stage]) -> Tried | None:
    """The shard before the maps, which then compute only what is kept."""
    costs = {}
    for stage in maps:
        cost = cost_of(stage)
        kept = cost_of(shard).elements / cost.elements
        costs[stage] = replace(cost, seconds=kept * cost.seconds, cpu_seconds=kept * cost.cpu_seconds)
    changed = live.graph.with_earlier(live.node(shard), [live.node(stage) for stage in maps])
    return shard, live.compared_with(changed, live.predicted(costs))


def _skip_earlier(live: _LivePipeline, skip: Stage, maps: list[Stage]) -> Tried | None:
    """The skip before the maps: each epoch starts sooner, and goes on as before."""
    dropped, kept, own = _constant(skip, "count"), skip.cardinality or 0, cost_of(skip)
    rate = live.model.measurement.batches_per_second
    if not dropped or dropped < 0 or kept <= 0 or not rate or not own.elements:
        return None
    rest = kept / own.elements / rate
    each = sum(cost_of(stage).seconds / cost_of(stage).elements / cost_of(stage).parallelism for stage in maps)
    predicted = (rest + dropped * each) / rest
    if predicted < WORTHWHILE:
        return None
    some = min(dropped, max(1, int(_START_SECONDS / each)))
    node = live.node(skip)
    graph = live.graph.with_fewer_dropped(node, some)
    earlier = graph.with_earlier(node, [live.node(stage) for stage in maps])
    pairs = seconds_to_start(graph.dataset(), earlier.dataset(), seconds=live.seconds)
    epochs = [(rest + (before - after) * dropped / some) / rest for before, after in pairs]
    return skip, TrialRun(statistics.median(epochs), repeatability.spread(epochs), predicted)


def _parallel_batch(live: _LivePipeline, batch: Stage) -> Tried | None:
    """The batch with parallel calls, or without them where it has them."""
    return batch, live.compared_with(live.graph.with_parallel_batch(live.node(batch)), None)
