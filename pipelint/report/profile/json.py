"""A profile as JSON for programs: stable, versioned, in ASCII so that it survives any encoding of the output."""

from __future__ import annotations

import json
import math
from typing import Any

from pipelint.dynamic.profile import PipelineProfile, Profile, StageProfile, Suggestion

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
    step = pipeline.step
    return {
        "consumer": pipeline.consumer,
        "batches_per_second": pipeline.batches_per_second,
        "input_bound": pipeline.input_bound,
        "bound": pipeline.bound,
        "limit": {"batches_per_second": pipeline.limit_batches_per_second},
        "epoch": pipeline.epoch,
        "memory_bytes": pipeline.memory_bytes,
        "stages": [_stage(stage) for stage in pipeline.stages],
        "bottleneck": pipeline.bottleneck,
        "suggestions": [_suggestion(suggestion) for suggestion in pipeline.suggestions],
        "role": pipeline.role,
        "path": pipeline.path,
        "line": pipeline.line,
        "spread": pipeline.spread,
        "step_seconds": step.seconds if step else None,
        "period_seconds": step.period_seconds if step else None,
        "cores_used": pipeline.cores_used,
        "memory_forecast_bytes": pipeline.memory_forecast_bytes,
        "timeline": [{"seconds": at, "batches_per_second": rate} for at, rate in pipeline.timeline],
        "remarks": list(pipeline.remarks),
        "note": pipeline.note,
    }


def _stage(stage: StageProfile) -> dict[str, Any]:
    return {
        "id": stage.id,
        "op": stage.op,
        "path": stage.path,
        "line": stage.line,
        "column": stage.column,
        "inputs": list(stage.inputs),
        "elements": stage.elements,
        "seconds_per_batch": stage.seconds_per_batch,
        "share": stage.share,
        "parallelism": stage.parallelism,
        "bytes_per_element": stage.bytes_per_element,
        "stateful": stage.stateful,
        "bound": stage.bound,
        "rewritten_by_tensorflow": stage.rewritten_by_tensorflow,
        "nested_in": stage.nested_in,
        "function": stage.function,
        "rate": stage.rate,
        "cpu_share": stage.cpu_share,
        "buffered_bytes": stage.buffered_bytes,
        "source": stage.source,
    }


def _suggestion(suggestion: Suggestion) -> dict[str, Any]:
    return {
        "code": suggestion.code,
        "message": suggestion.message,
        "path": suggestion.path,
        "line": suggestion.line,
        "predicted_speedup": suggestion.predicted_speedup,
        "name": suggestion.name,
        "severity": suggestion.severity.value,
        "column": suggestion.column,
        "stage": suggestion.stage,
        "fix": {"safety": "unsafe" if suggestion.unsafe else "safe", "title": suggestion.fix}
        if suggestion.fix
        else None,
    }


def _finite(value: Any) -> Any:
    """The value without what JSON has no word for."""
    if isinstance(value, dict):
        return {key: _finite(each) for key, each in value.items()}
    if isinstance(value, list):
        return [_finite(each) for each in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
