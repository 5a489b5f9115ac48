"""Whether a pipeline is known to give so little data that its speed is of no account."""

from __future__ import annotations

from math import prod

from pipelint.rule import (
    RETURNS_DATASETS,
    TAKES_APART,
    Argument,
    Array,
    Consumer,
    ConsumerKind,
    Pipeline,
    Program,
    Stage,
)

_FEW = 64
"""Examples or steps that are over in a second even one at a time (some milliseconds for each): a demonstration."""


def has_few(program: Program, pipeline: Pipeline) -> bool:
    """Whether the program writes out how few elements there are, or how few steps it takes."""
    elements = _elements(pipeline)
    if elements is not None and elements <= _FEW:
        return True
    return bool(pipeline.consumers) and all(_takes_few(program, consumer) for consumer in pipeline.consumers)


def has_few_rows(data: Argument | None) -> bool:
    """Whether an array is known to have few rows."""
    match data:
        case Argument(value=Array(shape=(int() as rows, *_))):
            return rows <= _FEW
        case _:
            return False


def _elements(pipeline: Pipeline) -> int | None:
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


def _takes_few(program: Program, consumer: Consumer) -> bool:
    """Whether it is `next` in a loop that is written to turn a few times, as are the loops around it."""
    if consumer.kind is not ConsumerKind.ITERATOR:
        return False
    turns = [
        prod(_FEW + 1 if one.turns is None else one.turns for one in event.loops[:depth])
        for event in program.events
        for depth, loop in enumerate(event.loops, 1)
        if loop.region == consumer.region
    ]
    return bool(turns) and max(turns) <= _FEW
