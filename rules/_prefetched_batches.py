"""Which elements a prefetch holds ready, and how many bytes of them."""

from __future__ import annotations

from pipelint.rule import BATCHING, TAKES_APART, Effect, Program, Stage

from ._picture_sizes import bytes_of_picture


def batch_before(prefetch: Stage) -> Stage | None:
    """The stage that makes the elements batches, of more than one example."""
    for stage in prefetch.straight_up():
        if stage.op in TAKES_APART:
            return None
        if stage.op in BATCHING or stage.yields_batches:
            size = stage.argument("batch_size")
            return stage if size is None or size.integer != 1 else None
    return None


def bytes_of_batch(program: Program, prefetch: Stage, batch: Stage) -> float | None:
    """The size of a batch: as measured, or of pictures and rows of arrays whose size is written; None where none is."""
    if batch.cost is not None and batch.cost.bytes_per_element:
        return batch.cost.bytes_per_element
    size = batch.argument("batch_size")
    example = _bytes_of_example(program, prefetch)
    return size.integer * example if size is not None and size.integer and example else None


def _bytes_of_example(program: Program, prefetch: Stage) -> float | None:
    stages = tuple(reversed(tuple(prefetch.upstream(inside=True))))
    if any(stage.cause(Effect.DECODE) is not None for stage in stages):
        return bytes_of_picture(program, stages)
    rows = [stage.bytes_per_element for stage in stages if stage.op == "from_tensor_slices"]
    return max((row for row in rows if row is not None), default=None)
