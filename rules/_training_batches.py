"""The batches that training runs on, wherever their size is written."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from pipelint.rule import Argument, Pipeline, Program, Purpose, Region, Stage

from ._batches_of_arrays import batches_of_arrays
from ._batching import BatchSize, TrainingBatch, batch_sizes, only_adds_an_axis
from ._little_data import are_hundreds, has_few, is_counted, only_reads_hundreds
from ._purpose import named_purpose, proven_purpose


def training_batches(program: Program, enough: int) -> Iterator[TrainingBatch]:
    """The batches that training runs on, one for each constant that gives a size: that which is proven to train."""
    told: set[object] = set()
    for batch in sorted(_every_batch(program, enough), key=_doubts):
        name = _name_of(program, batch.size)
        if _is_tested(program, batch):
            continue
        constant = (name, batch.examples, batch.size and program.module_at(batch.size.region))
        if name is None or constant not in told:
            told.add(constant)
            yield replace(batch, size_name=name)


def _doubts(batch: TrainingBatch) -> tuple[bool, bool]:
    """The fewer of these hold, the more is known of a batch."""
    return not (batch.proven and batch.counted), not batch.counted


def _is_tested(program: Program, batch: TrainingBatch) -> bool:
    """Whether a test trains on it: what is asserted then is its point, not the speed."""
    if not any(function.is_test for function in program.functions):
        return False
    pipeline = batch.at.pipeline if isinstance(batch.at, Stage) else None
    places = {user.region for user in pipeline.consumers} if pipeline is not None else {batch.at}
    functions = [call.function for call in program.calls if call.region in places or call.name in places]
    return bool(functions) and all(function is not None and function.is_test for function in functions)


def _name_of(program: Program, size: Argument | None) -> str | None:
    """The name of the constant that gives a size; None for a number that stands there itself, and for a default."""
    if size is None or size.is_assumed or not isinstance(size.region, Region):
        return None
    text = program.written(size.region)
    return text if text.replace(".", "").isidentifier() else None


def _every_batch(program: Program, enough: int) -> Iterator[TrainingBatch]:
    """The batches of training, without those of which another branch makes batches of `enough` examples."""
    compared = {
        user.region for pipeline in program.pipelines if _reaches(pipeline, enough) for user in pipeline.consumers
    }
    for pipeline in program.pipelines:
        if (
            has_few(program, pipeline)
            or are_hundreds(program, pipeline)
            or only_reads_hundreds(program.near(pipeline.end.name))
        ):
            continue
        # What takes small batches here and large ones there is given them to be compared.
        if pipeline.consumers and all(user.region in compared for user in pipeline.consumers):
            continue
        for size in batch_sizes(pipeline):
            if (
                _may_train(pipeline, size)
                and not only_adds_an_axis(program, pipeline, size)
                and not _is_larger_elsewhere(pipeline, enough)
            ):
                trains = proven_purpose(pipeline) is Purpose.TRAINING
                written = size.stage.argument("batch_size")
                proven, counted = trains and not size.assumed, is_counted(program, pipeline)
                yield TrainingBatch(size.stage, size.examples, "batches", proven, counted, written, trains=trains)
    if program.uses_tensorflow:
        yield from batches_of_arrays(program)


def _may_train(pipeline: Pipeline, size: BatchSize) -> bool:
    proven = proven_purpose(pipeline)
    if proven is not Purpose.UNKNOWN or size.assumed:
        return proven is Purpose.TRAINING
    # A batch of one may only add an axis for what takes one example at a time.
    if size.examples == 1:
        return False
    return named_purpose(pipeline, size.stage) is Purpose.TRAINING


def _is_larger_elsewhere(pipeline: Pipeline, enough: int) -> bool:
    variants = pipeline.dataset.variants if pipeline.dataset is not None else ()
    return any(_reaches(variant, enough) for variant in variants)


def _reaches(pipeline: Pipeline, enough: int) -> bool:
    return any(size.examples >= enough for size in batch_sizes(pipeline))
