"""What a rule's repair would give: an editor that changes the plan of a measured pipeline instead of text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from pipelint.dynamic.predict.operational import Operations, Plan, can_be_parallel, runs_python
from pipelint.dynamic.recording import RecordedStage
from pipelint.model.editor import Method
from pipelint.model.finding import Edit, Fix, Region
from pipelint.model.function import Operation
from pipelint.model.pipeline import PREFETCHES, Dataset, Stage
from pipelint.model.values import AUTOTUNE, EXPERIMENTAL_AUTOTUNE, Literal, Symbol

_CALLS = frozenset({"num_parallel_calls", "num_parallel_reads"})
_TAKEN = (Edit(Region(0, 0), ""),)
"""What a wish that can be granted gives in place of text."""


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
    """An editor for one measured pipeline that remembers what a fix asks for."""

    def __init__(self, operations: Operations) -> None:
        self._operations = operations
        self._wish = Wish(operations.current)

    def of(self, fix: Fix) -> Wish:
        """What a fix asks for, all that it asks for taken together."""
        self._wish = Wish(self._operations.current)
        fix.render()
        return self._wish

    def set_argument(self, stage: Stage, name: str, value: Symbol | Literal) -> tuple[Edit, ...]:
        """More or fewer calls at once; any other argument may mean anything."""
        recorded = _recorded(stage)
        calls = self._calls(recorded, value) if name in _CALLS else None
        if calls is None or self._wish.plan is None:
            return self._unknown()
        gains = self._operations.gains_from_threads(recorded.id)
        plan = self._wish.plan.with_threads(recorded.id, calls) if gains else self._wish.plan
        self._wish = replace(self._wish, plan=plan, works_on=self._wish.works_on | {recorded.id})
        return _TAKEN

    def append(self, dataset: Dataset, op: str, value: Symbol | Literal) -> tuple[Edit, ...]:
        """A buffer, or a cache, at the end."""
        end = self._operations.end.id
        return self._buffer(end) if op in PREFETCHES else self._cache(end) if op == "cache" else self._unknown()

    def move_after(self, stage: Stage, other: Stage, replacing: Mapping[str, Symbol | Literal]) -> tuple[Edit, ...]:
        """A buffer at another place; to move anything else changes what is computed."""
        if stage.op not in PREFETCHES:
            return self._unknown()
        return self._buffer(_recorded(other).id, instead_of=_recorded(stage).id)

    def assign_back(self, stage: Stage) -> tuple[Edit, ...]:
        """Not seen in a live pipeline."""
        return self._unknown()

    def respell(self, region: Region, name: str, call: Region | None = None) -> tuple[Edit, ...]:
        """A matter of source."""
        return self._unknown()

    def rename_attribute(self, region: Region, name: str) -> tuple[Edit, ...]:
        """A matter of source."""
        return self._unknown()

    def import_from(self, region: Region, module: str) -> tuple[Edit, ...]:
        """A matter of source."""
        return self._unknown()

    def unapply(self, operation: Operation, methods: Sequence[Method]) -> tuple[Edit, ...]:
        """A matter of source."""
        return self._unknown()

    def remove_statement(self, operation: Operation) -> tuple[Edit, ...]:
        """A matter of source."""
        return self._unknown()

    def remove_argument(self, operation: Operation, name: str) -> tuple[Edit, ...]:
        """A matter of source."""
        return self._unknown()

    def decorate(self, function: str, name: str) -> tuple[Edit, ...]:
        """A matter of source."""
        return self._unknown()

    def _unknown(self) -> tuple[Edit, ...]:
        self._wish = replace(self._wish, plan=None)
        return _TAKEN

    def _buffer(self, behind: int, instead_of: int | None = None) -> tuple[Edit, ...]:
        if self._wish.plan is not None:
            cuts = self._wish.plan.cuts - {instead_of} | {behind}
            self._wish = replace(self._wish, plan=replace(self._wish.plan, cuts=cuts), overlaps=True)
        return _TAKEN

    def _cache(self, behind: int) -> tuple[Edit, ...]:
        if self._wish.plan is not None:
            plan = cached(self._operations, self._wish.plan, behind)
            self._wish = replace(self._wish, plan=plan, caches=True)
        return _TAKEN

    def _calls(self, stage: RecordedStage, value: Symbol | Literal) -> float | None:
        match value:
            case Literal(value=int(calls)) if calls > 0:
                return float(calls)
            case Literal(value=-1):
                return self._chosen(stage)
            case Symbol() if value in (AUTOTUNE, EXPERIMENTAL_AUTOTUNE):
                return self._chosen(stage)
        return None

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


def _recorded(stage: Stage) -> RecordedStage:
    assert isinstance(stage.definition, RecordedStage)
    return stage.definition
