"""Operational analysis: the batches a second that a measured pipeline can reach, and what limits them.

Each final batch costs every stage some seconds of a thread, of a processor and of Python's lock. No resource gives more
than one second a second, so the scarcest one sets the rate.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

from pipelint.dynamic.measure.processors_and_memory import enough_threads
from pipelint.knowledge.graph_ops import ASYNCHRONOUS_NODES
from pipelint.knowledge.stages import (
    FEEDS,
    PARALLEL_CALLS,
    PARALLEL_READERS,
    PARALLELISM_ARGUMENTS,
    PREFETCHES,
    THREAD_POOL_OPTIONS,
)
from pipelint.model.cost import Cost, Measurement
from pipelint.model.pipeline import Pipeline, Stage
from pipelint.model.values import Literal

_NOTHING = Cost()
_TIE = 1.05
"""A shared resource must be this much scarcer than a thread before it is named for the cause."""
_WORST_FIT, _BEST_FIT = 0.5, 1.25
_HANDING_OVER = 50e-6
"""About what it costs to hand a call to another thread and its result back."""


@dataclass(frozen=True)
class Plan:
    """How a pipeline is run, as far as its rate depends on it."""

    threads: Mapping[Stage, float]
    """The calls at once of stages that make them in threads of their own; others run in the thread that pulls them."""
    cuts: frozenset[Stage]
    """The stages whose results a thread of its own puts into a buffer."""
    pool: float
    """The threads that all mapped functions share."""
    in_graph: frozenset[Stage] = frozenset()
    """The stages whose Python code is taken to be TensorFlow operations instead."""
    cached: frozenset[Stage] = frozenset()
    """The stages that a cache downstream spares."""

    def with_threads(self, stage: Stage, threads: float) -> Plan:
        """The same plan with this stage's calls made in so many threads of its own."""
        return replace(self, threads={**self.threads, stage: threads})


@dataclass(frozen=True)
class Limit:
    """The rate that one resource allows, and the stages that use it, with the seconds of it for each batch."""

    resource: str
    """`thread`, `pool`, `cpu` or `lock`."""
    rate: float
    use: Mapping[Stage, float]


@dataclass
class _Crew:
    """Threads that do alike: each takes the work of these stages one after the other."""

    threads: float
    stages: list[Stage] = field(default_factory=list)
    other_seconds: float = 0.0
    """What else each of them does for a batch: the consumer's step."""


@dataclass(frozen=True)
class RateModel:
    """A measured pipeline on a machine with some cores."""

    pipeline: Pipeline
    cores: int

    @cached_property
    def measurement(self) -> Measurement:
        """What was measured of the pipeline as a whole."""
        return self.pipeline.measurement or Measurement()

    @property
    def many(self) -> int:
        """A number of threads that is enough for work that waits."""
        return enough_threads(self.cores)

    @cached_property
    def current(self) -> Plan:
        """How the user's pipeline runs, with what TensorFlow makes of it by itself."""
        parallel = {
            stage: max(1.0, calls_set(stage), cost_of(stage).parallelism)
            for stage in self.pipeline.every_stage
            if _calls_in_threads(stage)
        }
        cuts = {stage for stage in self.pipeline.every_stage if stage.op in PREFETCHES}
        injected = {self.pipeline.end} if self.measurement.prefetch_injected else set()
        return Plan(parallel, frozenset(cuts | injected), self._pool)

    @cached_property
    def best(self) -> Plan:
        """The best allocation: threads in plenty wherever calls can be parallel; the processors bound them all."""
        parallel = {
            stage: float(self.many)
            for stage in self.pipeline.every_stage
            if can_be_parallel(stage) and gains_from_threads(stage)
        }
        cuts = self.current.cuts | {self.pipeline.end}
        return Plan({**self.current.threads, **parallel}, cuts, max(self.many, self._pool))

    @property
    def _pool(self) -> float:
        match self.pipeline.option(*THREAD_POOL_OPTIONS):
            case Literal(value=int(size)) if size > 0:
                return float(size)
        return float(self.cores)

    def limit(self, plan: Plan, step: float = 0.0) -> Limit:
        """The scarcest resource under a plan; with a step, its seconds are the consumer's."""
        return min(self._limits(plan, step), key=lambda limit: limit.rate)

    def rate(self, plan: Plan, step: float = 0.0) -> float:
        """The batches a second that a plan gives; infinite where nothing costs anything."""
        return self.rate_at(self.limit(plan, step))

    def rate_at(self, limit: Limit) -> float:
        """The batches a second that a limit allows, as far as the measured rate agrees with its own."""
        # Contention for Python's lock is no measure for work without it; all other misfit is taken to stay as it is.
        comparable = (limit.resource == "lock") == (self._now.resource == "lock")
        return limit.rate * (self._fit if comparable else 1.0)

    @cached_property
    def _now(self) -> Limit:
        return self.limit(self.current)

    @cached_property
    def _fit(self) -> float:
        """The measured rate over the model's."""
        measured = self.measurement.batches_per_second
        return min(max(measured / self._now.rate, _WORST_FIT), _BEST_FIT) if measured else 1.0

    def seconds_before(self, stage: Stage) -> float:
        """What all that a stage takes from needs for a final batch, as the user runs it, with nothing behind it."""
        before = [RateModel(Pipeline(part), self.cores).limit(self.current) for part in stage.inputs]
        return sum(1 / self.rate_at(limit) for limit in before)

    def speedup(self, plan: Plan) -> float | None:
        """What a plan gives over the current one: alone, or, where that is more, by overlap with the step."""
        if not self.pipeline.serial_seconds:
            return None
        gain = self.rate(plan) / self.rate(self.current)
        step = self.measurement.step
        return gain if step is None else max(gain, self.overlap_speedup(plan, step.seconds))

    def overlap_speedup(self, plan: Plan, step: float) -> float:
        """What a plan gives where each batch is followed by a step of so many seconds."""
        return self.rate(plan, step) / self.rate(self.current, step)

    def training_speedup(self, plan: Plan) -> float | None:
        """What a plan gives the consumer, which goes on needing the time of its step; None without one."""
        step = self.measurement.step
        if step is None or not self.pipeline.serial_seconds:
            return None
        now, then = (self._period(each, step.seconds) for each in (self.current, plan))
        work = _work(self.pipeline, plan) / (_work(self.pipeline, self.current) or 1.0)
        return self._with_less_waiting(now, then, work)

    def _period(self, plan: Plan, step: float) -> float:
        """From batch to batch behind a step, where the two take nothing from each other."""
        in_consumer = 1 / self.limit(plan, step).rate - 1 / self.limit(plan).rate
        return max(step, 1 / self.rate(plan) + in_consumer)

    def training_speedup_of(self, gain: float) -> float | None:
        """What it gives the consumer if the pipeline needs that many times less of everything."""
        step, rate = self.measurement.step, self.measurement.batches_per_second
        if step is None or not rate:
            return None
        is_ahead = self.pipeline.end in self.current.cuts
        times = (1 / rate, 1 / rate / gain)
        now, then = (max(step.seconds, each) if is_ahead else step.seconds + each for each in times)
        return self._with_less_waiting(now, then, 1 / gain)

    def _with_less_waiting(self, now: float, then: float, work: float) -> float | None:
        """The consumer's speedup where its period should shrink by that much, and the pipeline's work to this part."""
        step = self.measurement.step
        assert step is not None
        waiting = step.period_seconds - step.seconds
        # What it waits beyond the slower of both goes to processors that the two take from each other.
        contended = max(0.0, step.period_seconds - now)
        saved = min(waiting, max(0.0, now - then) + contended * max(0.0, 1 - work))
        return step.period_seconds / (step.period_seconds - saved) if saved < step.period_seconds else None

    @cached_property
    def limit_batches_per_second(self) -> float | None:
        """What the best setting gave, or would give; never below what the user's own one gave."""
        if not self.pipeline.serial_seconds:
            return None
        best = self.measurement.best_batches_per_second or self.rate(self.best)
        return max(best, self.measurement.batches_per_second or 0.0)

    @cached_property
    def bottleneck(self) -> Stage | None:
        """The stage that holds most of the scarcest resource, as the user runs the pipeline."""
        limits = self._limits(self.current, 0.0)
        scarcest = min(limits, key=lambda limit: limit.rate * (1.0 if limit.resource == "thread" else _TIE))
        return max(scarcest.use, key=lambda stage: scarcest.use[stage]) if self.pipeline.serial_seconds else None

    def _limits(self, plan: Plan, step: float) -> Iterator[Limit]:
        costs = {
            stage: stage.cost
            for stage in self.pipeline.every_stage
            if stage.cost is not None and stage not in plan.cached
        }
        for crew in self._crews(plan, step):
            use = {stage: costs[stage].seconds for stage in crew.stages if stage in costs}
            pooled = any(seconds > 0 and _is_pooled(stage) for stage, seconds in use.items())
            threads = min(crew.threads, plan.pool) if pooled else crew.threads
            yield _limit("thread", threads, use, crew.other_seconds)
        in_pool = {stage: cost.seconds for stage, cost in costs.items() if _is_pooled(stage)}
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

        pending = [(self.pipeline.end, crews[0], 1.0)]
        seen: set[Stage] = set()
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
                (puller if stage.inner else workers).stages.append(stage)
            else:
                puller.stages.append(stage)
            pending += [(inner.end, inside, inside_copies) for inner in stage.inner]
            pending += [(part, puller, copies) for part in stage.inputs]
        return crews


def cost_of(stage: Stage) -> Cost:
    """What a stage costs; nothing where it was not seen at work."""
    return stage.cost or _NOTHING


def _work(pipeline: Pipeline, plan: Plan) -> float:
    """The seconds of processors that a batch takes under a plan."""
    return sum(cost_of(stage).cpu_seconds for stage in pipeline.every_stage if stage not in plan.cached)


def can_be_parallel(stage: Stage) -> bool:
    """Whether an argument makes its calls parallel."""
    if stage.op in PARALLEL_READERS:
        return stage.several is True
    return stage.op in PARALLEL_CALLS or stage.op == "PyDataset"


def gains_from_threads(stage: Stage) -> bool:
    """Whether calls in other threads can be worth it: short ones cost as much to hand over as to make."""
    cost = cost_of(stage)
    are_short = cost.seconds < _HANDING_OVER * cost.elements
    return not are_short or _is_asynchronous(stage) or stage.bound == "io" or bool(stage.inner)


def _is_asynchronous(stage: Stage) -> bool:
    """Whether the engine hands its calls to another thread in any case, even one at a time."""
    return (cost_of(stage).rewritten or "").startswith(ASYNCHRONOUS_NODES)


def _calls_in_threads(stage: Stage) -> bool:
    in_workers = stage.op in FEEDS and cost_of(stage).parallelism > 1
    return calls_set(stage) != 0 or in_workers or _is_asynchronous(stage)


def calls_set(stage: Stage) -> int:
    """The calls at once that it asks for: -1 leaves them to TensorFlow, 0 is one in the thread that pulls it."""
    calls = (stage.argument(name) for name in PARALLELISM_ARGUMENTS)
    return next((call.integer for call in calls if call is not None and call.integer is not None), 0)


def _is_pooled(stage: Stage) -> bool:
    """Whether its function runs in the threads that all functions share."""
    unbounded = stage.argument("use_unbounded_threadpool")
    return stage.function is not None and stage.op not in FEEDS and not (unbounded is not None and unbounded.constant)


def _limit(resource: str, supply: float, use: Mapping[Stage, float], other_seconds: float = 0.0) -> Limit:
    seconds = sum(use.values()) + other_seconds
    return Limit(resource, supply / seconds if seconds > 0 else float("inf"), use)
