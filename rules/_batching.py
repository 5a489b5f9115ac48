"""How many examples one element of a pipeline holds, and one training step takes."""

from __future__ import annotations

from dataclasses import dataclass

from pipelint.rule import (
    BATCHING,
    MERGES,
    OWN_BATCHES,
    RETURNS_DATASETS,
    TAKES_APART,
    Argument,
    Call,
    Location,
    Pipeline,
    Program,
    Region,
    Stage,
    once_a_pipeline,
)


@dataclass(frozen=True)
class BatchSize:
    """The stage that makes the final batches of a pipeline, and how many examples each holds."""

    stage: Stage
    examples: int
    assumed: bool = False
    """Whether it rests on a default that a caller may override."""


@dataclass(frozen=True)
class TrainingBatch:
    """How many examples a training step takes, and where that is written."""

    at: Stage | Location
    examples: int
    kind: str
    """What holds the examples: batches or slices."""
    proven: bool
    """Whether what the program does proves that it trains on them, with this size."""
    counted: bool
    """Whether the program or the name of a data set tells that there is so much data that it matters."""
    size: Argument | None = None
    """Where the size is given."""
    size_name: str | None = None
    """The name of the constant that gives it."""
    trains: bool = True
    """Whether a consumer in sight trains on them, and not only names and a shuffle speak for it."""
    data: Argument | None = None
    """The array that they are cut out of, where no dataset makes them."""

    @property
    def place(self) -> Location:
        """Where the batches are made."""
        return self.at.name if isinstance(self.at, Stage) else self.at

    @property
    def assumed(self) -> bool:
        """Whether the size is a default that a caller, the command line or a file of settings may override."""
        return self.size is not None and self.size.is_assumed


def batch_sizes(pipeline: Pipeline) -> tuple[BatchSize, ...]:
    """The sizes of the batches that come out, one for each branch that makes its own; none where one is not known."""
    return _sizes(pipeline.end) or ()


def _sizes(end: Stage) -> tuple[BatchSize, ...] | None:
    """None where the elements are batches of a size that is not known, or only one; empty where they are no batches."""
    trunk = (end, *end.straight_up())
    first = trunk[-1]
    sizes = _merged(first) if first.inputs else ()
    one_element = first.op == "from_tensors" and all(stage.op != "repeat" for stage in trunk)
    if one_element or (first.op in MERGES and not first.inputs):
        return None
    windows = False
    for stage in reversed(trunk):
        windows = windows or stage.op == "window"
        sizes = _behind(stage, sizes, windows=windows)
    return sizes


def _merged(stage: Stage) -> tuple[BatchSize, ...] | None:
    branches = [_sizes(part) for part in stage.inputs]
    known = [size for branch in branches if branch is not None for size in branch]
    if stage.op != "zip":
        return tuple(known)
    if any(branch is None for branch in branches):
        return None
    # A step takes one element of each branch, so that the largest counts.
    largest = max((size.examples for size in known), default=0)
    return tuple(BatchSize(size.stage, largest, size.assumed) for size in known)


def _behind(stage: Stage, sizes: tuple[BatchSize, ...] | None, *, windows: bool) -> tuple[BatchSize, ...] | None:
    if stage.op in TAKES_APART:
        return ()
    if stage.op in OWN_BATCHES:
        return None
    if stage.op in BATCHING or stage.yields_batches:
        return _batched(stage, () if stage.op == "rebatch" else sizes)
    if stage.op in RETURNS_DATASETS:
        return None if not windows and any(inner.batched for inner in stage.inner) else ()
    if sizes and stage.op == "map" and stage.function is not None and stage.function.takes_apart:
        return None
    return sizes


def _batched(stage: Stage, sizes: tuple[BatchSize, ...] | None) -> tuple[BatchSize, ...] | None:
    argument = stage.argument("batch_size")
    size = argument.integer if argument is not None else None
    if argument is None or size is None or size < 1 or sizes is None:
        return None
    return (BatchSize(stage, size * max((inner.examples for inner in sizes), default=1), argument.is_assumed),)


def only_adds_an_axis(program: Program, pipeline: Pipeline, size: BatchSize) -> bool:
    """Whether the loops over batches of one take the first axis away again before anything else."""
    if size.examples > 1:
        return False
    squeezes = [call for call in program.calls if call.last_name == "squeeze" and _is_first_axis(call)]
    return bool(pipeline.consumers) and all(
        any(loop.region.holds(Region.of(consumer.region)) for call in squeezes for loop in call.loops)
        for consumer in pipeline.consumers
    )


def _is_first_axis(call: Call) -> bool:
    axis = call.argument("axis") or next(iter(call.positional[1:]), None)
    return axis is not None and axis.constant == 0 and axis.integer is not None


@once_a_pipeline
def stages_on_batches(pipeline: Pipeline) -> frozenset[Stage]:
    """The stages that have whole batches for their elements."""
    found: set[Stage] = set()
    for stage in pipeline.stages:
        if any(before.op in BATCHING or before in found for before in stage.inputs):
            found.add(stage)
    return frozenset(found)
