"""From what was measured to what there is to tell."""

from __future__ import annotations

import linecache
from collections.abc import Iterator
from pathlib import Path

from pipelint.dynamic.predict.advice import advise, is_input_bound
from pipelint.dynamic.predict.memory import Holding, cache_place, holdings, is_notable
from pipelint.dynamic.predict.operational import Operations
from pipelint.dynamic.profile import PipelineProfile, Profile, StageProfile, StepProfile
from pipelint.dynamic.recording import RecordedPipeline, RecordedStage, Recording
from pipelint.dynamic.wording import path_of, where
from pipelint.project.projects import Overrides, Project, Projects

_FULL = 0.9
"""The part of the machine's memory that a pipeline fills when memory is what bounds it."""


def analyse(recording: Recording, project: Project | None = None) -> Profile:
    """The profile of a run; the project says which rules apply, by default that of the working directory."""
    project = project or Projects(Overrides()).of(Path.cwd())
    return Profile(
        target=recording.target,
        tensorflow=recording.tensorflow,
        cores=recording.cores,
        pipelines=tuple(_pipeline(recording, pipeline, project) for pipeline in recording.pipelines),
        error=recording.error,
    )


def _pipeline(recording: Recording, recorded: RecordedPipeline, project: Project) -> PipelineProfile:
    operations = Operations(recorded, recording.cores)
    kept = holdings(operations)
    advice = advise(operations, recording.tensorflow, project, cache_place(operations, recording.ram_bytes))
    consumer, step = recorded.consumer, recorded.step
    return PipelineProfile(
        consumer=consumer.kind,
        role=consumer.role,
        path=path_of(consumer.place) if consumer.place else None,
        line=consumer.place.line if consumer.place else None,
        epoch=recorded.epoch,
        batches_per_second=recorded.batches_per_second,
        spread=recorded.spread,
        input_bound=step.waiting_share if step else None,
        step=StepProfile(step.seconds, step.period_seconds) if step else None,
        bound=_bound(operations, recording.ram_bytes),
        limit_batches_per_second=operations.limit_batches_per_second,
        memory_bytes=recorded.memory_bytes,
        memory_forecast_bytes=round(sum(holding.bytes for holding in kept)) if kept else None,
        stages=tuple(_stage(operations, stage) for stage in recorded.stages),
        bottleneck=operations.bottleneck,
        suggestions=tuple(advice.suggestions),
        remarks=(*_about_consumer(operations), *_about_memory(operations, kept, recording), *advice.remarks),
        timeline=recorded.timeline,
        cores_used=recorded.cores_used,
        note=recorded.note,
    )


def _stage(operations: Operations, stage: RecordedStage) -> StageProfile:
    cost = operations.pipeline.costs.get(stage.id)
    place = stage.place
    return StageProfile(
        id=stage.id,
        op=stage.op,
        path=path_of(place) if place else None,
        line=place.line if place else None,
        column=place.column if place else None,
        inputs=(*stage.inputs, *stage.inner),
        nested_in=stage.nested_in,
        elements=cost.elements if cost else None,
        seconds_per_batch=cost.seconds if cost else None,
        share=operations.share(stage.id) if cost else None,
        parallelism=cost.parallelism if cost else None,
        bytes_per_element=cost.bytes_per_element if cost and cost.bytes_per_element else stage.element_bytes,
        stateful=stage.function is not None and stage.function.stateful,
        bound=operations.bound(stage.id) if cost else None,
        rewritten_by_tensorflow=cost.rewritten if cost else None,
        function=_label(stage),
        rate=1 / cost.seconds if cost and cost.seconds > 0 else None,
        cpu_share=min(cost.cpu_seconds / cost.seconds, 1.0) if cost and cost.seconds > 0 else None,
        buffered_bytes=cost.buffered_bytes if cost else 0.0,
        source=linecache.getline(place.path, place.line).strip() if place else "",
    )


def _label(stage: RecordedStage) -> str:
    if stage.function is None:
        return ""
    return f"`{stage.function.name}`" if stage.function.name else "a lambda"


def _bound(operations: Operations, machine_bytes: int) -> str | None:
    """What keeps the pipeline from being faster, or its consumer where that is the slower one."""
    if not is_input_bound(operations):
        return "consumer"
    if machine_bytes and (operations.pipeline.memory_bytes or 0) > _FULL * machine_bytes:
        return "memory"
    return operations.bound(operations.bottleneck) if operations.bottleneck is not None else None


def _about_consumer(operations: Operations) -> Iterator[str]:
    if not is_input_bound(operations):
        yield "no advice to speed it up: the step does not wait for it"


def _about_memory(operations: Operations, kept: tuple[Holding, ...], recording: Recording) -> Iterator[str]:
    for holding in kept:
        if is_notable(holding, recording.ram_bytes):
            yield holding.words(where(operations.stages[holding.stage].place), recording.ram_bytes)
