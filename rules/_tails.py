"""Ends of pipelines that make elements before the consumer asks, with no prefetch behind them."""

from __future__ import annotations

from pipelint.rule import (
    FREE,
    INJECT_PREFETCH,
    MAP_AND_BATCH_FUSION,
    MAP_PARALLELIZATION,
    Pipeline,
    Stage,
    Version,
)

_NO_STAGES = frozenset({"with_options", "apply"})
"""What leaves nothing at the end of the pipeline that TensorFlow runs."""


def works_ahead(target: Version, pipeline: Pipeline) -> bool:
    """Whether the last stages that work do so ahead of the consumer, or of a prefetch that TensorFlow inserts."""
    return _is_parallel(target, pipeline) or _is_fused(pipeline)


def keeps_parallel_tail(target: Version, pipeline: Pipeline) -> bool:
    """Whether TensorFlow makes the last map parallel and leaves it at that."""
    return _is_parallel(target, pipeline) and not _gets_prefetch(target, pipeline)


def keeps_fused_tail(target: Version, pipeline: Pipeline) -> bool:
    """Whether TensorFlow fuses the last map with the `batch` behind it and leaves it at that."""
    return _is_fused(pipeline) and not _gets_prefetch(target, pipeline)


def _gets_prefetch(target: Version, pipeline: Pipeline) -> bool:
    """Whether TensorFlow inserts a prefetch in any case, since a stage that only passes elements on hides the map."""
    if target < INJECT_PREFETCH.since:
        return False
    match _last_stages(pipeline):
        case [*_, Stage(op="map")] | [*_, Stage(op="map"), Stage(op="batch")]:
            return False
        case _:
            return True


def _last_stages(pipeline: Pipeline) -> list[Stage]:
    return [stage for stage in pipeline.trunk if stage.op not in _NO_STAGES]


def _is_parallel(target: Version, pipeline: Pipeline) -> bool:
    """Whether TensorFlow makes the last map parallel, with nothing that works behind it but a `batch`."""
    if target < MAP_PARALLELIZATION.since or pipeline.turns_off(*MAP_PARALLELIZATION.turned_off_by):
        return False
    working = [stage for stage in pipeline.trunk if not stage.is_source and stage.op not in FREE]
    if len(working) > 1 and working[-1].op == "batch":
        working.pop()
    last = working[-1] if working else None
    return last is not None and last.op == "map" and last.function is not None and last.function.stateless


def _is_fused(pipeline: Pipeline) -> bool:
    """Whether a map stands right before the last `batch`: fused, they work ahead even where one call runs at a time."""
    last = next((stage for stage in reversed(pipeline.trunk) if stage.op not in FREE), None)
    if last is None or last.op != "batch" or not last.omits("num_parallel_calls"):
        return False
    return any(stage.op == "map" for stage in last.inputs) and not pipeline.turns_off(
        *MAP_AND_BATCH_FUSION.turned_off_by
    )
