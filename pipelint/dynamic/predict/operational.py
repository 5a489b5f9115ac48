"""Operational analysis: the batches a second that a measured pipeline can reach, and what limits them.

Each final batch costs every stage some seconds of a thread, of a processor and of Python's lock. No resource gives more
than one second a second, so the scarcest one sets the rate.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

from pipelint.dynamic.measure.hardware import enough_threads
from pipelint.dynamic.recording import RecordedPipeline, RecordedStage, StageCost
from pipelint.knowledge.stages import PREFETCHES

_PARALLEL_CALLS = frozenset({"map", "interleave", "parallel_interleave", "batch", "map_and_batch"})
_POOL_OPTIONS = ("threading.private_threadpool_size", "experimental_threading.private_threadpool_size")
_ASYNCHRONOUS_KERNELS = ("Parallel", "MapAndBatch")
_NOTHING = StageCost(elements=0.0, seconds=0.0, cpu_seconds=0.0)
_TIE = 1.05
"""A shared resource must be this much scarcer than a thread before it is named for the cause."""
_WORST_FIT, _BEST_FIT = 0.5, 1.25
_HANDING_OVER = 50e-6
"""About what it costs to hand a call to another thread and its result back."""
NEGLIGIBLE = 0.01
"""The share below which a stage costs next to nothing."""


@dataclass(frozen=True)
class Plan:
    """How a pipeline is run, as far as its rate depends on it."""

    threads: Mapping[int, float]
    """The calls at once of stages that make them in threads of their own; others run in the thread that pulls them."""
    cuts: frozenset[int]
    """The stages whose results a thread of its own puts into a buffer."""
    pool: float
    """The threads that all mapped functions share."""
    in_graph: frozenset[int] = frozenset()
    """The stages whose Python code is taken to be TensorFlow operations instead."""
    cached: frozenset[int] = frozenset()
    """The stages that a cache downstream spares."""

    def with_threads(self, stage: int, threads: float) -> Plan:
        """The same plan with this stage's calls made in so many threads of its own."""
        return replace(self, threads={**self.threads, stage: threads})


@dataclass(frozen=True)
class Limit:
    """The rate that one resource allows, and the stages that use it, with the seconds of it for each batch."""

    resource: str
    """`thread`, `pool`, `cpu` or `lock`."""
    rate: float
    use: Mapping[int, float]


@dataclass
class _Crew:
    """Threads that do alike: each takes the work of these stages one after the other."""

    threads: float
    stages: list[int] = field(default_factory=list)
    other_seconds: float = 0.0
    """What else each of them does for a batch: the consumer's step."""


@dataclass(frozen=True)
class Operations:
    """A measured pipeline on a machine with some cores."""

    pipeline: RecordedPipeline
    cores: int

    @cached_property
    def stages(self) -> Mapping[int, RecordedStage]:
        """The stages by their ids."""
        return {stage.id: stage for stage in self.pipeline.stages}

    @property
    def end(self) -> RecordedStage:
        """The last stage."""
        return self.pipeline.stages[-1]

    @property
    def many(self) -> int:
        """A number of threads that is enough for work that waits."""
        return enough_threads(self.cores)

    def cost(self, stage: int) -> StageCost:
        """What a stage costs; nothing where it was not seen at work."""
        return self.pipeline.costs.get(stage, _NOTHING)

    @cached_property
    def serial_seconds(self) -> float:
        """A final batch with everything one after the other."""
        return sum(cost.seconds for cost in self.pipeline.costs.values())

    def share(self, stage: int) -> float:
        """A stage's part of the time of all."""
        return self.cost(stage).seconds / self.serial_seconds if self.serial_seconds else 0.0

    @cached_property
    def current(self) -> Plan:
        """How the user's pipeline runs, with what TensorFlow makes of it by itself."""
        parallel = {
            stage.id: max(1.0, _calls_set(stage), self.cost(stage.id).parallelism)
            for stage in self.pipeline.stages
            if self._calls_in_threads(stage)
        }
        cuts = {stage.id for stage in self.pipeline.stages if stage.op in PREFETCHES}
        injected = {self.end.id} if self.pipeline.prefetch_injected else set()
        return Plan(parallel, frozenset(cuts | injected), self._pool)

    @cached_property
    def best(self) -> Plan:
        """The best allocation: threads in plenty wherever calls can be parallel; the processors bound them all."""
        parallel = {
            stage.id: float(self.many)
            for stage in self.pipeline.stages
            if can_be_parallel(stage) and self.gains_from_threads(stage.id)
        }
        return Plan({**self.current.threads, **parallel}, self.current.cuts | {self.end.id}, max(self.many, self._pool))

    def gains_from_threads(self, stage: int) -> bool:
        """Whether calls in other threads can be worth it: short ones cost as much to hand over as to make."""
        cost = self.cost(stage)
        are_short = cost.seconds < _HANDING_OVER * cost.elements
        return not are_short or self.bound(stage) == "io" or bool(self.stages[stage].inner)

    @property
    def _pool(self) -> float:
        sizes = (stage.options.get(name) for stage in reversed(self.pipeline.stages) for name in _POOL_OPTIONS)
        return next((float(size) for size in sizes if isinstance(size, int) and size > 0), float(self.cores))

    def _calls_in_threads(self, stage: RecordedStage) -> bool:
        rewritten = self.cost(stage.id).rewritten
        return _calls_set(stage) != 0 or (rewritten is not None and rewritten.startswith(_ASYNCHRONOUS_KERNELS))

    def limit(self, plan: Plan, step: float = 0.0) -> Limit:
        """The scarcest resource under a plan; with a step, its seconds are the consumer's."""
        return min(self._limits(plan, step), key=lambda limit: limit.rate)

    def rate(self, plan: Plan, step: float = 0.0) -> float:
        """The batches a second that a plan gives; infinite where nothing costs anything."""
        limit = self.limit(plan, step)
        # Contention for Python's lock is no measure for work without it; all other misfit is taken to stay as it is.
        comparable = (limit.resource == "lock") == (self._now.resource == "lock")
        return limit.rate * (self._fit if comparable else 1.0)

    @cached_property
    def _now(self) -> Limit:
        return self.limit(self.current)

    @cached_property
    def _fit(self) -> float:
        """The measured rate over the model's."""
        measured = self.pipeline.batches_per_second
        return min(max(measured / self._now.rate, _WORST_FIT), _BEST_FIT) if measured else 1.0

    def speedup(self, plan: Plan) -> float | None:
        """What a plan gives over the current one: alone, or, where that is more, by overlap with the step."""
        if not self.serial_seconds:
            return None
        gain = self.rate(plan) / self.rate(self.current)
        step = self.pipeline.step
        return gain if step is None else max(gain, self.overlap_speedup(plan, step.seconds))

    def overlap_speedup(self, plan: Plan, step: float) -> float:
        """What a plan gives where each batch is followed by a step of so many seconds."""
        return self.rate(plan, step) / self.rate(self.current, step)

    @cached_property
    def limit_batches_per_second(self) -> float | None:
        """What the best setting gave, or would give; never below what the user's own one gave."""
        if not self.serial_seconds:
            return None
        best = self.pipeline.best_batches_per_second or self.rate(self.best)
        return max(best, self.pipeline.batches_per_second or 0.0)

    @cached_property
    def bottleneck(self) -> int | None:
        """The stage that holds most of the scarcest resource, as the user runs the pipeline."""
        limits = self._limits(self.current, 0.0)
        scarcest = min(limits, key=lambda limit: limit.rate * (1.0 if limit.resource == "thread" else _TIE))
        return max(scarcest.use, key=lambda stage: scarcest.use[stage]) if self.serial_seconds else None

    def bound(self, stage: int) -> str | None:
        """What a stage spends its time on: `cpu`, `io`, `python`, or None where it costs next to nothing."""
        cost = self.cost(stage)
        if self.share(stage) < NEGLIGIBLE:
            return None
        if cost.seconds - cost.cpu_seconds > cost.seconds / 2:
            return "io"
        return "python" if runs_python(self.stages[stage]) or cost.lock_seconds > cost.cpu_seconds / 2 else "cpu"

    def nested(self, stage: int) -> tuple[int, ...]:
        """The stages of the pipelines inside a stage's function, at any depth."""
        inside = [other.id for other in self.pipeline.stages if other.nested_in == stage]
        return (*inside, *(deeper for other in inside for deeper in self.nested(other)))

    def upstream(self, stage: int) -> set[int]:
        """The stages that a stage takes its elements from, at any distance, those inside functions included."""
        found: set[int] = set()
        pending = [stage]
        while pending:
            recorded = self.stages[pending.pop()]
            nearest = {*recorded.inputs, *recorded.inner} - found
            found |= nearest
            pending += nearest
        return found

    def _limits(self, plan: Plan, step: float) -> Iterator[Limit]:
        costs = {stage: cost for stage, cost in self.pipeline.costs.items() if stage not in plan.cached}
        for crew in self._crews(plan, step):
            use = {stage: costs[stage].seconds for stage in crew.stages if stage in costs}
            pooled = any(seconds > 0 and _is_pooled(self.stages[stage]) for stage, seconds in use.items())
            threads = min(crew.threads, plan.pool) if pooled else crew.threads
            yield _limit("thread", threads, use, crew.other_seconds)
        in_pool = {stage: cost.seconds for stage, cost in costs.items() if _is_pooled(self.stages[stage])}
        yield _limit("pool", plan.pool, in_pool)
        yield _limit("cpu", self.cores, {stage: cost.cpu_seconds for stage, cost in costs.items()})
        lock = {stage: cost.lock_seconds for stage, cost in costs.items() if stage not in plan.in_graph}
        yield _limit("lock", 1.0, lock)

    def _crews(self, plan: Plan, step: float) -> list[_Crew]:
        """Who does the work: the consumer's thread, and those that each cut and each parallel stage adds."""
        crews = [_Crew(1.0, other_seconds=step)]

        def crew(threads: float) -> _Crew:
            crews.append(_Crew(threads))
            return crews[-1]

        pending = [(self.end.id, crews[0], 1.0)]
        seen: set[int] = set()
        while pending:
            stage, puller, copies = pending.pop()
            if stage in seen:
                continue
            seen.add(stage)
            if stage in plan.cuts:
                puller = crew(copies)
            calls = plan.threads.get(stage)
            inside, inside_copies = puller, copies
            if calls is not None:
                workers, puller = crew(copies * calls), crew(copies)
                inside, inside_copies = workers, copies * calls
                # The function of an interleave opens its pipelines one at a time; only what is inside them is parallel.
                (puller if self.stages[stage].inner else workers).stages.append(stage)
            else:
                puller.stages.append(stage)
            pending += [(part, inside, inside_copies) for part in self.stages[stage].inner]
            pending += [(part, puller, copies) for part in self.stages[stage].inputs]
        return crews


def can_be_parallel(stage: RecordedStage) -> bool:
    """Whether an argument makes its calls parallel."""
    several_files = stage.files is not None and stage.files > 1 and stage.op.endswith(("RecordDataset", "LineDataset"))
    return stage.op in _PARALLEL_CALLS or several_files


def runs_python(stage: RecordedStage) -> bool:
    """Whether it leaves the graph for Python at each element."""
    return stage.op == "from_generator" or (stage.function is not None and stage.function.python is not None)


def _calls_set(stage: RecordedStage) -> int:
    """The calls at once that it asks for: -1 leaves them to TensorFlow, 0 is one in the thread that pulls it."""
    calls = (stage.arguments.get(name) for name in ("num_parallel_calls", "num_parallel_reads"))
    return next((number for number in calls if isinstance(number, int)), 0)


def _is_pooled(stage: RecordedStage) -> bool:
    """Whether its function runs in the threads that all functions share."""
    return stage.function is not None and not stage.arguments.get("use_unbounded_threadpool")


def _limit(resource: str, supply: float, use: Mapping[int, float], other_seconds: float = 0.0) -> Limit:
    seconds = sum(use.values()) + other_seconds
    return Limit(resource, supply / seconds if seconds > 0 else float("inf"), use)
