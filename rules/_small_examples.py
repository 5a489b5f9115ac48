"""Whether examples are known to be so small that a few of them leave a device idle."""

from __future__ import annotations

from pipelint.rule import (
    Effect,
    Pipeline,
    Program,
    Stage,
    comes_with_keras,
    reads_single_files,
    reads_table,
)

from ._batching import TrainingBatch
from ._large_inputs import has_flat_inputs, known_side, largest_side
from ._sliced_arrays import numbers_of_row, sliced

_SIDE = 224
"""Pixels of a side from which networks for images compute for long on each: that of ImageNet's pictures."""
_NUMBERS = _SIDE * _SIDE * 3
"""The numbers of such a picture."""
_FLAT_SOURCES = frozenset({"CsvDataset", "SqlDataset", "TextLineDataset", "make_csv_dataset", "range"})
"""Sources whose elements are numbers, lines or rows."""


def are_small(program: Program, batch: TrainingBatch) -> bool:
    """Whether the program shows that an example is a small picture or a row, by sizes or by where it comes from."""
    near = program.near(batch.place)
    if side := known_side(near):
        return side < _SIDE
    if largest_side(near) or any(map(_reads_each, _stages(batch))):
        return False
    pipeline = batch.at.pipeline if isinstance(batch.at, Stage) else None
    arrays = [batch.data] if pipeline is None else sliced(program, pipeline)
    rows = list(map(numbers_of_row, arrays))
    if rows and all(numbers is not None and numbers < _NUMBERS for numbers in rows):
        return True
    if pipeline is not None and _has_flat_sources(pipeline):
        return True
    if any(comes_with_keras(call.symbol) for call in near.calls):
        return True
    if any(reads_single_files(call.symbol) for call in near.calls):
        return False
    # What modules read that this one imports may be something else than it trains on.
    module = program.module_at(batch.place)
    tables = (call for call in near.calls if reads_table(call.symbol))
    return has_flat_inputs(near) or any(program.module_at(call.region) is module for call in tables)


def _stages(batch: TrainingBatch) -> tuple[Stage, ...]:
    pipeline = batch.at.pipeline if isinstance(batch.at, Stage) else None
    return tuple(pipeline.every_stage) if pipeline is not None else ()


def _reads_each(stage: Stage) -> bool:
    """Whether a mapped function reads or decodes what belongs to an element, or has Python make it."""
    return stage.cause(Effect.READ, Effect.DECODE, Effect.PYTHON) is not None


def _has_flat_sources(pipeline: Pipeline) -> bool:
    """Whether numbers, lines or rows are all that comes in, as far as all functions are in sight."""
    stages = pipeline.every_stage
    known = all(stage.function is None or stage.function.resolved for stage in stages)
    return known and all(stage.op in _FLAT_SOURCES for stage in stages if stage.is_source)
