"""Arrays that are given to datasets and models, and how large they are known to be."""

from __future__ import annotations

from math import prod

from pipelint.rule import Argument, Array, Location, Pipeline, Program, once_a_pipeline


def sliced(program: Program, pipeline: Pipeline) -> list[Argument | None]:
    """The arrays that a pipeline is made of."""
    calls = [call for source in _sources(pipeline) for call in program.calls_at.get(source, ())]
    return [next(call.arguments, None) for call in calls]


@once_a_pipeline
def _sources(pipeline: Pipeline) -> list[Location]:
    return [stage.call for stage in pipeline.stages if stage.op == "from_tensor_slices"]


def most_rows(data: Argument | None) -> int | None:
    """How many rows an array has at most; None where that is not known."""
    match data:
        case Argument(value=Array(shape=(int() as rows, *_))):
            return rows
        case _:
            return data.most_rows if data is not None else None


def numbers_of_row(data: Argument | None) -> int | None:
    """How many numbers each row of an array has; None where that is not known."""
    match data:
        case Argument(value=Array(shape=(_, *rest))):
            known = [length for length in rest if length is not None]
            return prod(known) if len(known) == len(rest) else None
        case _:
            return None
