"""Whether data is known to be so little that its speed is of no account, or so much that it matters."""

from __future__ import annotations

from math import prod

from pipelint.rule import (
    RETURNS_DATASETS,
    TAKES_APART,
    Call,
    Consumer,
    ConsumerKind,
    Literal,
    Pipeline,
    Program,
    Stage,
    has_hundreds,
    has_thousands,
    once_a_pipeline,
    once_a_program,
    reads_data_set,
)

from ._batching import batch_sizes
from ._in_memory import comes_from_memory
from ._passes import fit_at, passes_of
from ._sliced_arrays import most_rows, sliced

FEW = 64
"""Examples or steps that are over in a second even one at a time (some milliseconds for each): a demonstration."""
MANY = 1000
"""Examples from which the fixed cost of their steps (some milliseconds each) adds up to seconds in every epoch, and
below which it does not in all epochs together."""


def has_few(program: Program, pipeline: Pipeline) -> bool:
    """Whether the program writes out how few elements there are, or how few steps it takes."""
    elements = elements_of(pipeline)
    if elements is not None and elements >= 0:
        passes = [passes_of(fit_at(program, consumer.region)) for consumer in pipeline.consumers]
        repeats = any(stage.op == "repeat" for stage in pipeline.stages)
        if elements <= FEW or (not repeats and are_few(elements, *passes)):
            return True
    batch = max((size.examples for size in batch_sizes(pipeline)), default=1)
    return bool(pipeline.consumers) and all(_takes_few(program, consumer, batch) for consumer in pipeline.consumers)


def is_a_handful(pipeline: Pipeline) -> bool:
    """Whether the program tells that there are so few elements that a pass over them is over at once."""
    elements = elements_of(pipeline)
    if elements is None or elements < 0:
        return False
    if comes_from_memory(pipeline):
        return elements < MANY
    # Numbers may stand for files, and each of these for much work.
    return elements <= FEW and not any(stage.op in ("range", "repeat") for stage in pipeline.stages)


def are_few(examples: int, *passes: int | None) -> bool:
    """Whether so many examples are few in all passes over them, whose numbers are all known."""
    known = [number for number in passes if number is not None]
    return 0 < len(known) == len(passes) and examples * sum(known) < MANY


def is_counted(program: Program, pipeline: Pipeline) -> bool:
    """Whether it is known that there are many elements: by their number, or by the name of the data set."""
    elements = elements_of(pipeline)
    if elements is not None:
        return elements < 0 or elements >= MANY
    arrays = sliced(program, pipeline)
    if arrays and all((most_rows(array) or MANY) < MANY for array in arrays):
        return False
    return only_reads_thousands(program.near(pipeline.end.name))


@once_a_program
def only_reads_thousands(program: Program) -> bool:
    """Whether a program reads no data but data sets of which it is known that they have thousands of examples."""
    reads = {call.symbol for call in program.calls if reads_data_set(call.symbol)}
    return bool(reads) and all(map(has_thousands, reads))


@once_a_program
def only_reads_hundreds(program: Program) -> bool:
    """Whether all data that a program reads are data sets of which it is known that they have some hundred examples."""
    return any(map(_reads_hundreds, program.calls)) and all(
        _reads_hundreds(call) for call in program.calls if reads_data_set(call.symbol)
    )


def _reads_hundreds(call: Call) -> bool:
    first = next(call.arguments, None)
    return has_hundreds(call.symbol, first.value.value if first and isinstance(first.value, Literal) else None)


def are_hundreds(program: Program, pipeline: Pipeline) -> bool:
    """Whether it is known that there are less than a thousand different elements: data to learn or to test with."""
    elements, arrays = elements_of(pipeline), sliced(program, pipeline)
    if elements is not None:
        return 0 <= elements < MANY
    whole = not any(stage.op in RETURNS_DATASETS or stage.op in TAKES_APART for stage in pipeline.stages)
    return whole and bool(arrays) and all((most_rows(array) or MANY) < MANY for array in arrays)


@once_a_program
def reads_files(program: Program) -> bool:
    """Whether a program reads or fetches a data set, which its arrays then come from."""
    return any(reads_data_set(call.symbol) for call in program.calls)


@once_a_pipeline
def elements_of(pipeline: Pipeline) -> int | None:
    """How many different elements come out at most; None where that is not known."""
    most: dict[Stage, int | None] = {}
    for stage in pipeline.stages:
        most[stage] = _behind(stage, [most[part] for part in stage.inputs])
    return most[pipeline.end]


def _behind(stage: Stage, inputs: list[int | None]) -> int | None:
    known = [number for number in inputs if number is not None]
    if stage.op in RETURNS_DATASETS or stage.op in TAKES_APART or not inputs:
        return stage.cardinality
    if stage.op == "zip":
        return min(known, default=None)
    count = stage.argument("count") if stage.op == "take" else None
    if count is not None and count.integer is not None and count.integer >= 0 and not count.is_assumed:
        return min([count.integer, *known])
    return sum(known) if len(known) == len(inputs) else None


def _takes_few(program: Program, consumer: Consumer, batch: int) -> bool:
    """Whether it is `next` in a loop that is written to turn a few times, as are the loops around it.

    Or to take few examples in all, with so many in a batch.
    """
    if consumer.kind is not ConsumerKind.ITERATOR:
        return False
    turns = [
        prod(MANY if one.turns is None else one.turns for one in event.loops[:depth])
        for event in program.events
        for depth, loop in enumerate(event.loops, 1)
        if loop.region == consumer.region
    ]
    return bool(turns) and (max(turns) <= FEW or max(turns) * batch < MANY)
