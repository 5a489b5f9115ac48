"""From what one run measured to what there is to tell."""

from __future__ import annotations

import linecache
from collections.abc import Iterator

from pipelint.dynamic.measure.measured_run import MeasuredRun
from pipelint.dynamic.predict.advice import Advice, advise, is_input_bound
from pipelint.dynamic.predict.first_batch import about_start, first_batch
from pipelint.dynamic.predict.memory import Holding, cache_place, holdings, is_notable
from pipelint.dynamic.predict.rate_model import RateModel
from pipelint.dynamic.predict.scaling import scaling
from pipelint.dynamic.profile import FindFix, PipelineProfile, Profile
from pipelint.knowledge.stages import FEEDS
from pipelint.model.locations import Place
from pipelint.model.pipeline import Pipeline
from pipelint.project.projects import Project
from pipelint.source.cell_files import line_of_cell
from pipelint.source.paths import split_cell

_FULL = 0.9
"""The part of the machine's memory that a pipeline fills when memory is what bounds it."""


def profile_of_run(run: MeasuredRun, project: Project, find_fix: FindFix) -> Profile:
    """The profile of a run; the project says which rules apply, and the last what can be mended in the source."""
    pipelines = tuple(_profiled(run, pipeline, project, find_fix) for pipeline in run.pipelines)
    return Profile(run.target, run.tensorflow, run.cores, run.memory_bytes, pipelines, run.error)


def _profiled(run: MeasuredRun, pipeline: Pipeline, project: Project, find_fix: FindFix) -> PipelineProfile:
    model = RateModel(pipeline, run.cores)
    kept = holdings(pipeline)
    first = first_batch(model)
    advice = advise(model, run.tensorflow, project, find_fix, cache_place(pipeline, run.memory_bytes))
    return PipelineProfile(
        pipeline=pipeline,
        bound=_bound(model, run.memory_bytes),
        bottleneck=model.bottleneck,
        limit_batches_per_second=_limit(model, advice),
        memory_forecast_bytes=round(sum(holding.bytes for holding in kept)) if kept else None,
        first_batch=first,
        scaling=scaling(model) if is_input_bound(model) else None,
        suggestions=tuple(advice.suggestions),
        remarks=(
            *_about_consumer(model),
            *about_start(model, first),
            *_about_memory(kept, run.memory_bytes),
            *advice.remarks,
        ),
        note=model.measurement.note,
        source_lines={place: _line(place).strip() for place in _places(pipeline)},
    )


def _limit(model: RateModel, advice: Advice) -> float | None:
    """What the pipeline could give as it is written, or gave with its stages in another order.

    Of batches that Python makes while the consumer is busy, no setting was run: what is advised is what could be.
    """
    limit, now = model.limit_batches_per_second, model.measurement.batches_per_second
    gains = [suggestion.trial.speedup for suggestion in advice.suggestions if suggestion.trial is not None]
    if model.pipeline.end.op in FEEDS and model.pipeline.end in model.current.cuts:
        gains += [suggestion.speedup for suggestion in advice.suggestions if suggestion.speedup is not None]
    return max(limit, now * max(gains)) if limit is not None and now is not None and gains else limit


def _places(pipeline: Pipeline) -> Iterator[Place]:
    for stage in pipeline.every_stage:
        inside = stage.cost.inside if stage.cost is not None else None
        calls = inside.calls if inside is not None else ()
        yield from (place for place in (stage.place, *(call.place for call in calls)) if place is not None)


def _line(place: Place) -> str:
    is_cell = split_cell(place.path)[1] is not None
    return line_of_cell(place.path, place.line) if is_cell else linecache.getline(place.path, place.line)


def _bound(model: RateModel, machine_bytes: int) -> str | None:
    """What keeps the pipeline from being faster, or its consumer where that is the slower one."""
    if not is_input_bound(model):
        return "consumer"
    if machine_bytes and (model.measurement.memory_bytes or 0) > _FULL * machine_bytes:
        return "memory"
    return model.bottleneck.bound if model.bottleneck is not None else None


def _about_consumer(model: RateModel) -> Iterator[str]:
    if not is_input_bound(model):
        yield "no advice to speed it up: the step does not wait for it"


def _about_memory(kept: tuple[Holding, ...], machine_bytes: int) -> Iterator[str]:
    return (holding.words(machine_bytes) for holding in kept if is_notable(holding, machine_bytes))
