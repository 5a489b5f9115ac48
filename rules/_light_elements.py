"""Whether elements are known to be so light, or functions to do so little, that nobody waits for them."""

from __future__ import annotations

from collections.abc import Container

from pipelint.rule import (
    COUNTERS,
    LITTLE_WORK,
    NO_WORK,
    Call,
    Class,
    Effect,
    Function,
    Pipeline,
    Program,
    Stage,
    TraceKind,
    comes_with_keras,
    reads_table,
)

from ._large_inputs import has_flat_inputs, known_side
from ._sliced_arrays import numbers_of_row, sliced

_NUMBERS = 10_000
"""Numbers of an example below which a batch of a hundred is copied or computed with in about a millisecond."""
_HEAVY = 100_000
"""Bytes of an example from which a batch of a hundred is copied in several milliseconds."""
_SMALL_PICTURE = 128 * 128 * 3
"""Numbers of a picture up to which a batch of 64 was flipped one by one as fast as in parallel: 14.2 ms against 13.8."""
_CHANNELS = 3
_WORKS = (Effect.READ, Effect.DECODE, Effect.PYTHON)
_TRIVIAL = LITTLE_WORK | {"tensorflow.one_hot", "tensorflow.transpose"}
_FLIPS = _TRIVIAL | {
    f"tensorflow.{name}"
    for name in (
        "clip_by_value", "cond", "image.central_crop", "image.crop_to_bounding_box", "image.flip_left_right",
        "image.flip_up_down", "image.random_brightness", "image.random_crop", "image.random_flip_left_right",
        "image.random_flip_up_down", "image.rot90", "random.uniform", "reverse",
    )
}  # fmt: skip
"""Functions that move or shift the values of a picture, and compute next to nothing."""


def are_light(program: Program, pipeline: Pipeline) -> bool:
    """Whether rows of a table, or small pictures, come out of memory, and no function reads, decodes or runs Python."""
    if not _is_in_memory(pipeline):
        return False
    numbers = _numbers_of_example(program, pipeline)
    return numbers < _NUMBERS if numbers is not None else _is_of_rows(program, pipeline)


def are_heavy(pipeline: Pipeline) -> bool:
    """Whether the elements are rows of arrays that are written so large that to copy a batch takes milliseconds."""
    rows = (stage.bytes_per_element for stage in pipeline.every_stage if stage.op == "from_tensor_slices")
    return any(size is not None and size >= _HEAVY for size in rows)


def is_light_work(program: Program, pipeline: Pipeline, stage: Stage) -> bool:
    """Whether a function is known to do no more than flip, crop or brighten pictures that are known to be small."""
    numbers = _numbers_of_example(program, pipeline)
    return numbers is not None and numbers <= _SMALL_PICTURE and does_little(program, stage, _FLIPS)


def does_little(program: Program, stage: Stage, little: Container[str] = _TRIVIAL) -> bool:
    """Whether a function is known to call nothing but functions that do little: cast, reshape, join or fill tensors."""
    mapped = stage.function
    if mapped is None or not mapped.resolved:
        return False
    traces = [one for one in program.traces if one.kind is TraceKind.MAP and one.function is mapped.function]
    return bool(traces) and all(_is_one_of(call, little) for trace in traces for call in trace.calls)


def _is_one_of(call: Call, symbols: Container[str]) -> bool:
    # What is followed stands beside it.
    return isinstance(call.callee, (Function, Class)) or call.symbol in symbols or call.library == "builtins"


def _is_in_memory(pipeline: Pipeline) -> bool:
    for stage in pipeline.every_stage:
        if stage.function is not None and stage.function.cause(*_WORKS) is not None:
            return False
        if stage.is_source and stage.op not in NO_WORK and stage.op not in COUNTERS:
            return False
        if not stage.is_source and not stage.inputs:
            return False
    return True


def _numbers_of_example(program: Program, pipeline: Pipeline) -> int | None:
    """How many numbers an example has at most, where the program writes its size."""
    rows = [numbers_of_row(array) for array in sliced(program, pipeline)]
    known = [numbers for numbers in rows if numbers is not None]
    if known and len(known) == len(rows):
        return max(known)
    side = known_side(program.near(pipeline.end.name))
    return side * side * _CHANNELS or None


def _is_of_rows(program: Program, pipeline: Pipeline) -> bool:
    """Whether a table or a data set of Keras is all that the examples can come from, or models take rows of numbers."""
    near = program.near(pipeline.end.name)
    # What modules read that this one imports may be something else than it trains on.
    module = program.module_at(pipeline.end.name)
    tables = (call for call in near.calls if reads_table(call.symbol) or comes_with_keras(call.symbol))
    return has_flat_inputs(near) or any(program.module_at(call.region) is module for call in tables)
