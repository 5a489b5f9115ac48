"""What a rule's repair would give: the same data that is rewritten as text, read as a change of the measured plan."""

from __future__ import annotations

from dataclasses import dataclass, replace

from pipelint.dynamic.predict.rate_model import Plan, RateModel, can_be_parallel, gains_from_threads
from pipelint.knowledge.keras import WORKERS
from pipelint.knowledge.stages import FEEDS, KEEPS, PARALLELISM_ARGUMENTS, PREFETCHES, THREAD_POOL_OPTIONS
from pipelint.model.pipeline import Stage
from pipelint.model.repair import (
    Append,
    CodeRepair,
    InsertAfter,
    MoveAfter,
    Repair,
    SetArgument,
    SetOption,
    SliceItems,
    Together,
)
from pipelint.model.values import AUTOTUNE, EXPERIMENTAL_AUTOTUNE, Literal, Symbol


@dataclass(frozen=True)
class PlanChange:
    """What a repair changes."""

    plan: Plan | None
    """How the pipeline would run; None where the model cannot tell."""
    works_on: Stage | None = None
    """The stage whose own work would be done in another way."""
    overlaps: bool = False
    """Whether work would be done while the consumer is busy."""


def plan_change_of(repair: Repair, model: RateModel) -> PlanChange:
    """What a repair asks for in a measured pipeline."""
    end = model.pipeline.end
    match repair:
        case SetArgument(stage=stage, name=name, value=value) if name in PARALLELISM_ARGUMENTS:
            return _calls(model, stage, value)
        case Append(op=op) if op in PREFETCHES:
            return _buffer(model, end)
        case Append(op="cache"):
            return PlanChange(cached(model.current, end))
        case MoveAfter(stage=stage, others=(other, *_)) if stage.op in PREFETCHES:
            return _buffer(model, other, instead_of=stage)
        case InsertAfter(stage=stage, calls=calls) if any(call.method in KEEPS for call in calls):
            return PlanChange(cached(model.current, stage))
        case MoveAfter(others=(other, *_), led_by=calls) if any(call.method in KEEPS for call in calls):
            return PlanChange(cached(model.current, other))
        case MoveAfter(stage=stage, others=(other, *_)) if stage.op in KEEPS and stage in other.upstream():
            return PlanChange(cached(model.current, other))
        case SliceItems(stage=stage):
            # What is in memory costs next to nothing.
            return PlanChange(cached(model.current, stage))
        case SetOption(name=name, value=Literal(value=int(threads))) if name in THREAD_POOL_OPTIONS:
            return PlanChange(_with_pool(model, model.current, float(threads)))
        case Together(repairs=repairs):
            return _all_of(repairs, model)
    # Anything else is a matter of source, or changes what is computed.
    return PlanChange(None)


def _all_of(repairs: tuple[CodeRepair, ...], model: RateModel) -> PlanChange:
    """What several repairs together change, those aside of which the model cannot tell."""
    plan, told = model.current, False
    for repair in repairs:
        change = plan_change_of(repair, model)
        if change.plan is None:
            continue
        told = True
        threads = {
            stage: calls for stage, calls in change.plan.threads.items() if calls != model.current.threads.get(stage)
        }
        plan = Plan(
            {**plan.threads, **threads},
            plan.cuts | change.plan.cuts,
            max(plan.pool, change.plan.pool),
            plan.in_graph | change.plan.in_graph,
            plan.cached | change.plan.cached,
        )
    if plan.pool > model.current.pool:
        # Calls that wait are as many as there are threads for them, once they are parallel.
        plan = _with_pool(model, plan, plan.pool)
    return PlanChange(plan if told else None)


def _with_pool(model: RateModel, plan: Plan, threads: float) -> Plan:
    """The plan with so many threads for the functions of all stages, of which those take as many that wait."""
    wider = replace(plan, pool=max(plan.pool, threads))
    for stage in plan.threads:
        wider = with_waiting_threads(model, wider, stage) or wider
    return wider


def _calls(model: RateModel, stage: Stage, value: Symbol | Literal) -> PlanChange:
    """More or fewer calls at once."""
    calls: float | None = None
    match value:
        case Literal(value=int(number)) if number > 0:
            calls = float(number)
        case Literal(value=-1):
            calls = _chosen(model, stage)
        case Symbol() if value in (AUTOTUNE, EXPERIMENTAL_AUTOTUNE):
            calls = _chosen(model, stage)
    if calls is None:
        return PlanChange(None)
    plan = model.current.with_threads(stage, calls) if gains_from_threads(stage) else model.current
    return PlanChange(plan, stage)


def _chosen(model: RateModel, stage: Stage) -> float:
    """What TensorFlow goes up to by itself: a call for each thread of the pool, or pipeline of the cycle."""
    cycle = stage.argument("cycle_length")
    if cycle is not None and cycle.integer is not None and cycle.integer > 0:
        return float(cycle.integer)
    return float(model.cores) if stage.inner else model.current.pool


def _buffer(model: RateModel, behind: Stage, instead_of: Stage | None = None) -> PlanChange:
    current = model.current
    return PlanChange(replace(current, cuts=current.cuts - {instead_of} | {behind}), overlaps=True)


def cached(plan: Plan, behind: Stage) -> Plan:
    """The plan of later epochs with a cache behind a stage."""
    return replace(plan, cached=plan.cached | {behind, *behind.upstream(inside=True)})


def change_without_repair(model: RateModel, stage: Stage) -> PlanChange:
    """What a finding without a fix may be about: Python code, or pipelines that run one after the other."""
    current = model.current
    if stage.op in FEEDS:
        return _better_fed(model, stage)
    plan = current.with_threads(stage, max(float(model.cores), current.threads.get(stage, 1.0)))
    if stage.runs_python:
        waits = stage.bound == "io" and can_be_parallel(stage)
        # Operations of the graph need no lock and run on all cores.
        return PlanChange(plan if waits else replace(plan, in_graph=frozenset({stage})), stage)
    return PlanChange(plan, stage) if stage.inner else PlanChange(None)


def _better_fed(model: RateModel, stage: Stage) -> PlanChange:
    """Batches made while the consumer is busy where they are not, else by several workers, which share no lock."""
    if stage not in model.current.cuts:
        return _buffer(model, stage)
    workers = max(float(WORKERS), model.current.threads.get(stage, 1.0))
    return PlanChange(replace(model.current.with_threads(stage, workers), in_graph=frozenset({stage})), stage)


def with_waiting_threads(model: RateModel, plan: Plan, stage: Stage) -> Plan | None:
    """The plan with as many threads as can wait at once; None for a stage whose functions do not wait in parallel."""
    parts = [part for inner in stage.inner for part in inner.every_stage] or [stage]
    if stage.op in FEEDS:
        return None
    waiting = any(part.bound == "io" and part.function is not None for part in parts)
    if not waiting or not can_be_parallel(stage):
        return None
    many = float(model.many)
    return replace(plan.with_threads(stage, many), pool=max(plan.pool, many))
