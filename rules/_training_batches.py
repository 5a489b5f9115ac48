"""The batches that training runs on, wherever their size is written."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from pipelint.rule import (
    SHUFFLES,
    Argument,
    Call,
    Class,
    ConsumerKind,
    FeedKind,
    Location,
    Method,
    Pipeline,
    Program,
    Purpose,
    Region,
    Stage,
    Symbol,
)

from ._batching import BatchSize, batch_sizes, only_adds_an_axis
from ._little_data import has_few, has_few_rows, has_many, has_many_rows, reads_files
from ._purpose import named_purpose, proven_purpose
from ._step_loops import is_named_step, takes_step


@dataclass(frozen=True)
class TrainingBatch:
    """How many examples a training step takes, and where that is written."""

    at: Stage | Location
    examples: int
    kind: str
    """What holds the examples: batches or slices."""
    proven: bool
    """Whether what the program does proves that it trains on them, with this size."""
    much: bool
    """Whether there is known to be so much data that it matters."""
    size: Argument | None = None
    """Where the size is given."""
    size_name: str | None = None
    """The name of the constant that gives it."""
    trains: bool = True
    """Whether a consumer in sight trains on them, and not only names and a shuffle speak for it."""

    @property
    def place(self) -> Location:
        """Where the batches are made."""
        return self.at.name if isinstance(self.at, Stage) else self.at

    @property
    def assumed(self) -> bool:
        """Whether the size is a default that a caller, the command line or a file of settings may override."""
        return self.size is not None and self.size.is_assumed


def training_batches(program: Program, enough: int) -> Iterator[TrainingBatch]:
    """The batches that training runs on, one for each constant that gives a size: that which is proven to train."""
    told: set[object] = set()
    for batch in sorted(_every_batch(program, enough), key=lambda batch: not (batch.proven and batch.much)):
        name = _name_of(program, batch.size)
        if _is_tested(program, batch):
            continue
        constant = (name, batch.examples, batch.size and program.module_at(batch.size.region))
        if name is None or constant not in told:
            told.add(constant)
            yield replace(batch, size_name=name)


def _is_tested(program: Program, batch: TrainingBatch) -> bool:
    """Whether a test trains on it: what is asserted then is its point, not the speed."""
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
        if has_few(program, pipeline):
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
                much = has_many(program, pipeline)
                proven = trains and not size.assumed
                yield TrainingBatch(size.stage, size.examples, "batches", proven, much, written, trains=trains)
    if not program.uses_tensorflow:
        return
    for feed in program.feeds:
        if feed.kind is FeedKind.LOADER and feed.consumer.purpose is Purpose.TRAINING and feed.loader is not None:
            data = next(feed.loader.arguments, None)
            if feed.call is None or not has_few_rows(feed.call, data):
                yield from _argument(feed.loader, much=has_many_rows(program, data))
    for call in program.calls:
        match call.callee:
            case Method(owner=None | Class() | Symbol(name="keras.Model"), name="fit"):
                data = call.argument("x") or next(iter(call.positional), None)
                labels = call.argument("y") or next(iter(call.positional[1:]), None)
                if not program.takes_dataset(call) and not any(has_few_rows(call, part) for part in (data, labels)):
                    yield from _argument(call, much=has_many_rows(program, data))
            case _:
                yield from _slices(program, call)


def _may_train(pipeline: Pipeline, size: BatchSize) -> bool:
    proven = proven_purpose(pipeline)
    if proven is not Purpose.UNKNOWN or size.assumed:
        return proven is Purpose.TRAINING
    # A generator gives what it likes, batches too; a batch of one may only add an axis.
    if size.examples == 1 and any(stage.op == "from_generator" for stage in size.stage.upstream()):
        return False
    named = named_purpose(pipeline, size.stage)
    handed_out = any(consumer.kind is ConsumerKind.ELSEWHERE for consumer in pipeline.consumers)
    if named is not Purpose.UNKNOWN or not handed_out:
        return named is Purpose.TRAINING
    # Nobody shuffles but to train.
    return size.examples > 1 and any(stage.op in SHUFFLES for stage in pipeline.stages)


def _is_larger_elsewhere(pipeline: Pipeline, enough: int) -> bool:
    variants = pipeline.dataset.variants if pipeline.dataset is not None else ()
    return any(_reaches(variant, enough) for variant in variants)


def _reaches(pipeline: Pipeline, enough: int) -> bool:
    return any(size.examples >= enough for size in batch_sizes(pipeline))


def _argument(call: Call, *, much: bool) -> Iterator[TrainingBatch]:
    size = call.argument("batch_size")
    if size is not None and (size.integer or 0) > 0:
        yield TrainingBatch(call.name, size.integer or 0, "batches", not size.is_assumed, much, size)


def _slices(program: Program, call: Call) -> Iterator[TrainingBatch]:
    rows = max((argument.rows or 0 for argument in call.arguments), default=0)
    if rows and call.loops:
        proven = takes_step(program, call)
        if proven or is_named_step(call):
            yield TrainingBatch(
                call.name, rows, "slices", proven, reads_files(program.near(call.region)), trains=proven
            )
