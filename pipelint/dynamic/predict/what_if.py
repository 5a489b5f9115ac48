"""What a rule's repair would give: the same data that is rewritten as text, read as a change of the measured plan."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from pipelint.dynamic.predict.operational import Operations, Plan, can_be_parallel, runs_python
from pipelint.dynamic.recording import RecordedStage
from pipelint.knowledge.stages import PREFETCHES
from pipelint.model.pipeline import Stage
from pipelint.model.repair import Append, MoveAfter, Repair, SetArgument
from pipelint.model.values import AUTOTUNE, EXPERIMENTAL_AUTOTUNE, Literal, Symbol

_CALLS = frozenset({"num_parallel_calls", "num_parallel_reads"})


@dataclass(frozen=True)
class Wish:
    """What a repair changes."""

    plan: Plan | None
    """How the pipeline would run; None where the model cannot tell."""
    works_on: frozenset[int] = frozenset()
    """The stages whose own work would be done in another way."""
    overlaps: bool = False
    """Whether work would be done while the consumer is busy."""
    caches: bool = False


class WhatIf:
    """Works out what repairs would change in one measured pipeline."""

    def __init__(self, operations: Operations, recorded: Mapping[Stage, RecordedStage]) -> None:
        self._operations = operations
        self._recorded = recorded

    def of(self, repair: Repair) -> Wish:
        """What a repair asks for."""
        current = self._operations.current
        match repair:
            case SetArgument(stage=stage, name=name, value=value) if name in _CALLS:
                return self._calls(self._recorded[stage], value)
            case Append(op=op) if op in PREFETCHES:
                return self._buffer(self._operations.end.id)
            case Append(op="cache"):
                return Wish(cached(self._operations, current, self._operations.end.id), caches=True)
            case MoveAfter(stage=stage, others=(other, *_)) if stage.op in PREFETCHES:
                return self._buffer(self._recorded[other].id, instead_of=self._recorded[stage].id)
        # Anything else is a matter of source, or changes what is computed.
        return Wish(None)

    def _calls(self, stage: RecordedStage, value: Symbol | Literal) -> Wish:
        """More or fewer calls at once."""
        calls: float | None = None
        match value:
            case Literal(value=int(number)) if number > 0:
                calls = float(number)
            case Literal(value=-1):
                calls = self._chosen(stage)
            case Symbol() if value in (AUTOTUNE, EXPERIMENTAL_AUTOTUNE):
                calls = self._chosen(stage)
        if calls is None:
            return Wish(None)
        current = self._operations.current
        gains = self._operations.gains_from_threads(stage.id)
        return Wish(current.with_threads(stage.id, calls) if gains else current, frozenset({stage.id}))

    def _buffer(self, behind: int, instead_of: int | None = None) -> Wish:
        current = self._operations.current
        return Wish(replace(current, cuts=current.cuts - {instead_of} | {behind}), overlaps=True)

    def _chosen(self, stage: RecordedStage) -> float:
        """What TensorFlow goes up to by itself: a call for each thread of the pool, or pipeline of the cycle."""
        cycle = stage.arguments.get("cycle_length")
        if isinstance(cycle, int) and cycle > 0:
            return float(cycle)
        return float(self._operations.cores) if stage.inner else self._operations.current.pool


def cached(operations: Operations, plan: Plan, behind: int) -> Plan:
    """The plan of later epochs with a cache behind a stage."""
    return replace(plan, cached=plan.cached | {behind, *operations.upstream(behind)})


def unrepaired(operations: Operations, stage: int) -> Wish:
    """What a finding without a fix may be about: Python code, or pipelines that run one after the other."""
    recorded, current = operations.stages[stage], operations.current
    threads = max(float(operations.cores), current.threads.get(stage, 1.0))
    plan = current.with_threads(stage, threads)
    if runs_python(recorded):
        waits = operations.bound(stage) == "io" and can_be_parallel(recorded)
        # Operations of the graph need no lock and run on all cores.
        return Wish(plan if waits else replace(plan, in_graph=frozenset({stage})), frozenset({stage}))
    return Wish(plan, frozenset({stage})) if recorded.inner else Wish(None)


def with_waiting_threads(operations: Operations, plan: Plan, stage: int) -> Plan | None:
    """The plan with as many threads as can wait at once; None for a stage whose functions do not wait in parallel."""
    inside = operations.nested(stage)
    waiting = any(
        operations.bound(part) == "io" and operations.stages[part].function is not None for part in inside or (stage,)
    )
    if not waiting or not can_be_parallel(operations.stages[stage]):
        return None
    many = float(operations.many)
    return replace(plan.with_threads(stage, many), pool=max(plan.pool, many))
