"""Arrays of float64 that a model of float32 is fed with."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import prod

from pipelint.rule import Argument, Array, Call, Pipeline, Program, Purpose, once_a_program

from ._double_models import DOUBLE
from ._first_runs import runs_on_made_up_data, shown_timings
from ._hand_cut_batches import hand_cut_batches
from ._little_data import MANY
from ._purpose import proven_purpose
from ._sliced_arrays import most_rows

_MANY_NUMBERS = 100_000
"""Numbers of less than a megabyte: nobody sees what half of that saves."""


def double_elements(program: Program) -> Iterator[Argument]:
    """The arrays of float64 that training pipelines are made of, and that nothing casts on the way."""
    trained = (pipeline for pipeline in program.pipelines if proven_purpose(pipeline) is Purpose.TRAINING)
    return filter(_is_large, _arrays(program, trained))


def beside(program: Program, array: Argument) -> list[Argument]:
    """The other arrays of float64 that the same module makes pipelines of, as for evaluation."""
    here = program.module_at(array.region)
    others = {other.region: other for other in _arrays(program, program.pipelines) if _is_double(other)}.values()
    return [other for other in others if other.region != array.region and program.module_at(other.region) is here]


def _arrays(program: Program, pipelines: Iterable[Pipeline]) -> Iterator[Argument]:
    """The arrays that pipelines are made of which cast nothing."""
    for pipeline in pipelines:
        if not (_may_cast(pipeline) or _is_of_no_account(program.near(pipeline.end.name))):
            yield from (array for stage in pipeline.stages for array in stage.arrays)


def _is_double(array: Argument) -> bool:
    """Whether it is an array of float64 with several axes."""
    match array.value:
        case Array(dtype="float64", shape=(_, _, *_)):
            return True
        case _:
            return False


def double_slices(program: Program) -> Iterator[tuple[Call, Argument]]:
    """The training steps that a loop gives slices of such an array, with the slice."""
    for call in hand_cut_batches(program):
        if not _is_of_no_account(program.near(call.region)):
            yield from ((call, argument) for argument in call.arguments if argument.rows and _is_large(argument))


def _is_large(array: Argument) -> bool:
    """Whether it is a large array of float64 with several axes; rows that nobody counts are many."""
    match array.value:
        case Array(dtype="float64", shape=(_, _, *_) as shape):
            rows, *axes = shape
            known = most_rows(array) if rows is None else rows
            many = MANY if known is None else known
            return many >= MANY and many * prod(filter(None, axes)) >= _MANY_NUMBERS
        case _:
            return False


def _may_cast(pipeline: Pipeline) -> bool:
    """Whether a function of the pipeline does more than to pick parts of the elements."""
    functions = (stage.function for stage in pipeline.every_stage)
    return any(function is not None and not function.selects for function in functions)


@once_a_program
def _is_of_no_account(program: Program) -> bool:
    """Whether a program means float64, or runs on made-up data without taking the time of that."""
    means = any(name.name.startswith(DOUBLE) for name in program.references) or any(
        call.last_name == "set_floatx" for call in program.calls
    )
    return means or (runs_on_made_up_data(program) and not any(shown_timings(program)))
