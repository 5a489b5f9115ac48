"""Whether elements are known to be so light, or functions to do so little, that nobody waits for them."""

from __future__ import annotations

from math import prod

from pipelint.rule import (
    COUNTERS,
    LITTLE_WORK,
    NO_WORK,
    Argument,
    Array,
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

_NUMBERS = 10_000
"""Numbers of an example below which a batch of a hundred is copied or computed with in about a millisecond."""
_CHANNELS = 3
_WORKS = (Effect.READ, Effect.DECODE, Effect.PYTHON)
_TRIVIAL = LITTLE_WORK | {"tensorflow.one_hot", "tensorflow.transpose"}


def are_light(program: Program, pipeline: Pipeline) -> bool:
    """Whether rows of a table, or small pictures, come out of memory, and no function reads, decodes or runs Python."""
    return _is_in_memory(pipeline) and _row_numbers(program, pipeline) < _NUMBERS


def are_heavy(program: Program, pipeline: Pipeline) -> bool:
    """Whether the program tells that an example has many numbers."""
    numbers = _row_numbers(program, pipeline)
    return _NUMBERS <= numbers < _UNKNOWN


def does_little(program: Program, stage: Stage) -> bool:
    """Whether a function is known to call nothing that does more than cast, reshape, join or fill tensors."""
    mapped = stage.function
    if mapped is None or not mapped.resolved:
        return False
    traces = [one for one in program.traces if one.kind is TraceKind.MAP and one.function is mapped.function]
    return bool(traces) and all(map(_is_trivial, (call for trace in traces for call in trace.calls)))


def _is_trivial(call: Call) -> bool:
    # What is followed stands beside it.
    return isinstance(call.callee, (Function, Class)) or call.symbol in _TRIVIAL or call.library == "builtins"


def _is_in_memory(pipeline: Pipeline) -> bool:
    for stage in pipeline.every_stage:
        if stage.function is not None and stage.function.cause(*_WORKS) is not None:
            return False
        if stage.is_source and stage.op not in NO_WORK and stage.op not in COUNTERS:
            return False
        if not stage.is_source and not stage.inputs:
            return False
    return True


_UNKNOWN = 1 << 62


def _row_numbers(program: Program, pipeline: Pipeline) -> int:
    """How many numbers an example has at most, as far as the program tells."""
    rows = [_numbers(array) for array in _sliced(program, pipeline)]
    if rows and _UNKNOWN not in rows:
        return max(rows)
    near = program.near(pipeline.end.name)
    if side := known_side(near):
        return side * side * _CHANNELS
    # What modules read that this one imports may be something else than it trains on.
    module = program.module_at(pipeline.end.name)
    tables = (call for call in near.calls if reads_table(call.symbol) or comes_with_keras(call.symbol))
    told = has_flat_inputs(near) or any(program.module_at(call.region) is module for call in tables)
    return 0 if told else _UNKNOWN


def _sliced(program: Program, pipeline: Pipeline) -> list[Argument]:
    """The arrays that a pipeline is made of."""
    sources = [stage.call for stage in pipeline.stages if stage.op == "from_tensor_slices"]
    calls = [call for source in sources for call in program.calls_at.get(source, ())]
    return [argument for call in calls if (argument := next(call.arguments, None)) is not None]


def _numbers(data: Argument) -> int:
    match data.value:
        case Array(shape=(_, *rest)):
            known = [length for length in rest if length is not None]
            return prod(known) if len(known) == len(rest) else _UNKNOWN
        case _:
            return _UNKNOWN
