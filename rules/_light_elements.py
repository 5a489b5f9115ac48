"""Whether elements are known to be so light, or functions to do so little, that nobody waits for them."""

from __future__ import annotations

from pipelint.rule import (
    COSTLY,
    COSTLY_MODULES,
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
    comes_with_keras,
    once_a_pipeline,
    reads_table,
)

from ._large_inputs import has_flat_inputs, known_side
from ._sliced_arrays import numbers_of_row, sliced

_NUMBERS = 10_000
"""Numbers of an example below which a batch of a hundred is copied or computed with in about a millisecond."""
HEAVY = 100_000
"""Bytes of an example from which a batch of a hundred is copied in several milliseconds."""
LARGE = 4 * _NUMBERS
"""Bytes of an example from which any pass over a batch of a hundred takes a millisecond and more."""
_SMALL_PICTURE = 64 * 64 * 3
"""Numbers of a picture for which the costliest of these operations takes about 0.1 ms, as a flip of 224x224 does."""
_CHANNELS = 3
_WORKS = (Effect.READ, Effect.DECODE, Effect.PYTHON)
_PRODUCTS = frozenset({"tensorflow.linalg.matmul", "tensorflow.matmul"})
_TRIVIAL = LITTLE_WORK | {"tensorflow.one_hot", "tensorflow.transpose"}


def are_light(program: Program, pipeline: Pipeline) -> bool:
    """Whether rows of a table, or small pictures, come out of memory, and no function reads, decodes or runs Python."""
    if not _is_in_memory(pipeline):
        return False
    numbers = _numbers_of_example(program, pipeline)
    return numbers < _NUMBERS if numbers is not None else _is_of_rows(program, pipeline)


def are_heavy(pipeline: Pipeline, least: int = HEAVY) -> bool:
    """Whether the elements are rows of arrays that are written to have so many bytes."""
    rows = (stage.bytes_per_element for stage in pipeline.every_stage if stage.op == "from_tensor_slices")
    return any(size is not None and size >= least for size in rows)


def is_of_small_pictures(program: Program, pipeline: Pipeline) -> bool:
    """Whether the examples are known to be so small that little is computed for each."""
    numbers = _numbers_of_example(program, pipeline)
    return numbers is not None and numbers <= _SMALL_PICTURE


def computes_much(program: Program, stage: Stage) -> bool:
    """Whether a function is known to call something that takes long for each number."""
    return any(
        call.symbol in COSTLY or call.symbol.startswith(COSTLY_MODULES)
        for trace in program.mapped_traces(stage)
        for call in trace.calls
    )


def multiplies_matrices(program: Program, stage: Stage) -> bool:
    """Whether a function multiplies matrices: those of pictures take long, those that turn a point take nothing."""
    return any(call.symbol in _PRODUCTS for trace in program.mapped_traces(stage) for call in trace.calls)


def does_little(program: Program, stage: Stage) -> bool:
    """Whether a function is known to call nothing but functions that do little: cast, reshape, join or fill tensors."""
    if stage.function is None or not stage.function.resolved:
        return False
    traces = program.mapped_traces(stage)
    return bool(traces) and all(_is_trivial(call) for trace in traces for call in trace.calls)


def _is_trivial(call: Call) -> bool:
    # What is followed stands beside it.
    return isinstance(call.callee, (Function, Class)) or call.symbol in _TRIVIAL or call.library == "builtins"


@once_a_pipeline
def _is_in_memory(pipeline: Pipeline) -> bool:
    for stage in pipeline.every_stage:
        if stage.cause(*_WORKS) is not None:
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
