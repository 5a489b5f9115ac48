"""Which elements a prefetch holds ready, and how many bytes of them."""

from __future__ import annotations

from pipelint.rule import BATCHING, SIZED, TAKES_APART, Effect, Pipeline, Program, Stage

from ._large_inputs import known_side

_CHANNELS = 3
_FLOAT32 = 4


def batch_before(prefetch: Stage) -> Stage | None:
    """The stage that makes the elements batches, of more than one example."""
    for stage in prefetch.straight_up():
        if stage.op in TAKES_APART:
            return None
        if stage.op in BATCHING or stage.yields_batches:
            size = stage.argument("batch_size")
            return stage if size is None or size.integer != 1 else None
    return None


def bytes_of_batch(program: Program, pipeline: Pipeline, batch: Stage) -> float | None:
    """The size of a batch: as measured, or of pictures and rows of arrays whose size is written; None where none is."""
    if batch.cost is not None and batch.cost.bytes_per_element:
        return batch.cost.bytes_per_element
    size = batch.argument("batch_size")
    example = _bytes_of_example(program, pipeline, batch)
    return size.integer * example if size is not None and size.integer and example else None


def _bytes_of_example(program: Program, pipeline: Pipeline, batch: Stage) -> float | None:
    stages = (batch, *batch.upstream())
    if any(stage.cause(Effect.DECODE) is not None for stage in stages):
        side = known_side(program.near(pipeline.end.name))
        traces = (trace for stage in stages for trace in program.mapped_traces(stage))
        # What brings pictures to a size makes floats of their bytes.
        resized = any(call.last_name in SIZED for trace in traces for call in trace.calls)
        return side * side * _CHANNELS * (_FLOAT32 if resized else 1) or None
    rows = [stage.bytes_per_element for stage in stages if stage.op == "from_tensor_slices"]
    return max((row for row in rows if row is not None), default=None)
