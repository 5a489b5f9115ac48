"""A profile as JSON for programs: stable, versioned, in ASCII so that it survives any encoding of the output."""

from __future__ import annotations

import json
import math
from typing import Any

from pipelint.dynamic.profile import FirstBatch, PipelineProfile, Profile, Scaling, Suggestion
from pipelint.model.cost import TrialRun
from pipelint.model.locations import Place
from pipelint.model.pipeline import Stage
from pipelint.report.profile import sentences
from pipelint.source.paths import shown_file, split_cell

VERSION = 1


def render(profile: Profile, *, color: bool = False, width: int | None = None) -> str:
    """The profile as one JSON object; a figure that is not known, or is no number, is null."""
    document = {
        "version": VERSION,
        "target": profile.target,
        "tensorflow": profile.tensorflow,
        "cores": profile.cores,
        "error": profile.error,
        "pipelines": [_pipeline(pipeline) for pipeline in profile.pipelines],
    }
    return json.dumps(_finite(document), indent=2, allow_nan=False) + "\n"


def _pipeline(pipeline: PipelineProfile) -> dict[str, Any]:
    measured, step, consumer = pipeline.measurement, pipeline.step, pipeline.consumer
    return {
        "consumer": consumer.kind.value,
        "batches_per_second": measured.batches_per_second,
        "input_bound": pipeline.input_bound,
        "bound": pipeline.bound,
        "limit": {"batches_per_second": pipeline.limit_batches_per_second},
        "epoch": measured.epoch,
        "memory_bytes": measured.memory_bytes,
        "stages": [_stage(stage, pipeline) for stage in pipeline.stages],
        "bottleneck": _number(pipeline.bottleneck, pipeline),
        "suggestions": [_suggestion(suggestion, pipeline) for suggestion in pipeline.suggestions],
        "role": consumer.purpose.value,
        "path": _path(consumer.place),
        "line": consumer.place.line if consumer.place else None,
        "spread": measured.spread,
        "step_seconds": step.seconds if step else None,
        "period_seconds": step.period_seconds if step else None,
        "period_spread": step.spread if step else None,
        "input_bound_spread": step.waiting_spread if step else None,
        "cores_used": measured.cores_used,
        "memory_forecast_bytes": pipeline.memory_forecast_bytes,
        "timeline": [{"seconds": at, "batches_per_second": rate} for at, rate in measured.timeline],
        "remarks": list(pipeline.remarks),
        "note": pipeline.note,
        "cell": _cell(consumer.place),
        "first_batch": _first_batch(pipeline.first_batch, pipeline),
        "scaling": _scaling(pipeline.scaling, pipeline),
    }


def _first_batch(first: FirstBatch | None, pipeline: PipelineProfile) -> dict[str, Any] | None:
    if first is None:
        return None
    delay = first.delay
    return {
        "seconds": first.seconds,
        "spread": first.spread,
        "later_epochs_seconds": first.later_seconds,
        "predicted": first.predicted,
        "epoch_batches": first.epoch_batches,
        "epoch_seconds": first.epoch_seconds,
        "share_of_epoch": first.share,
        "delay": {"stage": pipeline.number(delay.stage), "seconds": delay.seconds, "elements": delay.elements}
        if delay
        else None,
    }


def _scaling(scaling: Scaling | None, pipeline: PipelineProfile) -> dict[str, Any] | None:
    if scaling is None:
        return None
    service = scaling.service
    return {
        "cores": scaling.cores,
        "batches_per_second": scaling.batches_per_second,
        "resource": scaling.resource,
        "stage": _number(scaling.held_by, pipeline),
        "service": {
            "workers": service.workers,
            "batches_per_second": service.batches_per_second,
            "bytes_per_second": service.bytes_per_second,
            "only_here": _number(service.only_here, pipeline),
        }
        if service
        else None,
    }


def _stage(stage: Stage, pipeline: PipelineProfile) -> dict[str, Any]:
    cost, place = stage.cost, stage.place
    return {
        "id": pipeline.number(stage),
        "op": stage.op,
        "path": _path(place),
        "line": place.line if place else None,
        "column": place.column if place else None,
        "inputs": [pipeline.number(part) for part in stage.parts],
        "elements": cost.elements if cost else None,
        "seconds_per_batch": sentences.seconds(stage),
        "share": stage.share,
        "parallelism": cost.parallelism if cost else None,
        "bytes_per_element": stage.bytes_per_element,
        "stateful": sentences.is_stateful(stage),
        "bound": stage.bound,
        "rewritten_by_tensorflow": cost.rewritten if cost else None,
        "nested_in": _number(stage.nested_in, pipeline),
        "function": _function(stage),
        "rate": sentences.alone(cost) if cost else None,
        "cpu_share": sentences.cpu_share(cost) if cost else None,
        "buffered_bytes": cost.buffered_bytes if cost else 0.0,
        "source": pipeline.source_line(place),
        "cell": _cell(place),
        "inside": _inside(stage, pipeline),
    }


def _inside(stage: Stage, pipeline: PipelineProfile) -> dict[str, Any] | None:
    """What the calls in a function take that takes much of the work, None for the others."""
    inside, seconds = sentences.inside_of(stage), sentences.seconds(stage) or 0.0
    if inside is None:
        return None
    calls = [
        {
            "name": call.name,
            "python": call.python,
            "path": _path(call.place),
            "line": call.place.line if call.place else None,
            "column": call.place.column if call.place else None,
            "cell": _cell(call.place),
            "source": pipeline.source_line(call.place),
            "share": call.share,
            "seconds_per_batch": call.share * seconds,
        }
        for call in inside.calls
    ]
    return {"calls": calls, "between": inside.between, "note": inside.untold}


def _function(stage: Stage) -> str:
    """How a message speaks of the function that a stage applies, "" without one."""
    if stage.function is None:
        return ""
    return f"`{stage.function.name}`" if stage.function.name else "a lambda"


def _suggestion(suggestion: Suggestion, pipeline: PipelineProfile) -> dict[str, Any]:
    fix, place = suggestion.fix, suggestion.place
    return {
        "code": suggestion.code,
        "message": suggestion.message,
        "path": _path(place),
        "line": place.line if place else None,
        "predicted_speedup": suggestion.predicted_speedup,
        "name": suggestion.name,
        "severity": suggestion.severity.value,
        "column": place.column if place else None,
        "stage": _number(suggestion.stage, pipeline),
        "fix": {"safety": fix.safety.value, "title": fix.title} if fix else None,
        "cell": _cell(place),
        "measured": _trial(suggestion.trial),
        "training_speedup": suggestion.training_speedup,
    }


def _trial(trial: TrialRun | None) -> dict[str, float] | None:
    """What a suggestion gave when it was tried, with its interval."""
    return {"speedup": trial.speedup, "low": trial.low, "high": trial.high} if trial is not None else None


def _number(stage: Stage | None, pipeline: PipelineProfile) -> int | None:
    return pipeline.number(stage) if stage is not None else None


def _path(place: Place | None) -> str | None:
    return shown_file(split_cell(place.path)[0]) if place is not None else None


def _cell(place: Place | None) -> int | None:
    """The number of a notebook's cell, None elsewhere; lines and columns are then those of the cell."""
    return split_cell(place.path)[1] if place is not None else None


def _finite(value: Any) -> Any:
    """The value without what JSON has no word for."""
    if isinstance(value, dict):
        return {key: _finite(each) for key, each in value.items()}
    if isinstance(value, list):
        return [_finite(each) for each in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
