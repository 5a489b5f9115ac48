"""Generators whose single elements are batched later."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from pipelint.rule import (
    BATCHING,
    KEEPS,
    RETURNS_DATASETS,
    TAKES_APART,
    ConsumerKind,
    Function,
    LoopOver,
    Pipeline,
    Program,
    Stage,
    reads_data_set,
    reads_single_files,
)

from ._generated_elements import LIBRARIES, fits_a_map
from ._purpose import evaluates_beside_training
from ._replaceable_python import reached
from ._work_in_python import reads

_COLLECTS = BATCHING | {"bucket_by_sequence_length"}
_CHANGES_ELEMENTS = TAKES_APART | RETURNS_DATASETS | {"rebatch"}
_DRAWS = ("numpy.random.", "random.", "tensorflow.random.")


class Collected(NamedTuple):
    """A source that hands over single elements, and the stage that makes batches of them."""

    pipeline: Pipeline
    source: Stage
    batch: Stage


def by_generator(program: Program) -> Iterable[list[Collected]]:
    """All such sources of a program, those of one generator function together."""
    found: dict[object, list[Collected]] = {}
    for pipeline in program.pipelines:
        if all(consumer.kind is ConsumerKind.COLLECTION for consumer in pipeline.consumers):
            continue
        for stage in pipeline.stages:
            batch = _collected_by(stage) if stage.op == "from_generator" else None
            # Beside the read of a file the hand-over of its name costs little; what is kept is handed over once.
            if batch is None or any(reads(later) or later.op in KEEPS for later in stage.downstream()):
                continue
            generator = generator_of(stage)
            if not _stands_for_data(program, generator) and not _makes_examples(program, generator):
                found.setdefault(generator or stage.call, []).append(Collected(pipeline, stage, batch))
    # What a program evaluates beside its training is the smaller part by far.
    return [made for made in found.values() if not evaluates_beside_training(program, [one.pipeline for one in made])]


def _stands_for_data(program: Program, generator: Function | None) -> bool:
    """Whether all that a generator does is to draw at random: it stands for data that is not there."""
    calls = [call for call in reached(program, generator) if call.library != "builtins"] if generator else []
    return bool(calls) and all(call.symbol.startswith(_DRAWS) for call in calls)


def _makes_examples(program: Program, generator: Function | None) -> bool:
    """Whether a generator without an end reads nothing, and makes each example out of draws with libraries of others."""
    calls = list(reached(program, generator)) if generator else []
    endless = any(loop.over is LoopOver.WHILE for call in calls if call.function is generator for loop in call.loops)
    drawn = any(call.symbol.startswith(_DRAWS) for call in calls)
    others = any(call.symbol and call.library not in LIBRARIES | {"tensorflow"} for call in calls)
    reading = any(reads_data_set(call.symbol) or reads_single_files(call.symbol) for call in calls)
    return endless and drawn and others and not reading and not fits_a_map(program, generator)


def generator_of(source: Stage) -> Function | None:
    """The generator function of the program, where it is known."""
    return source.function.function if source.function is not None else None


def _collected_by(source: Stage) -> Stage | None:
    """The stage that makes batches of single elements; none where one element may hold several examples."""
    for stage in source.downstream():
        if stage.op in _CHANGES_ELEMENTS:
            return None
        if stage.op in _COLLECTS:
            size = stage.argument("batch_size")
            return None if size is not None and size.integer == 1 else stage
    return None
