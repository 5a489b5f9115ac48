"""Stages of which it is all the same how many of their calls run at a time."""

from __future__ import annotations

from pipelint.rule import Argument, Location, Pipeline, Program, Stage, once_a_program

from ._light_elements import does_little
from ._moot_parallel_calls import is_of_no_account, is_worth_threads
from ._purpose import only_converts
from ._switched_off import is_autotune_switched_off
from ._work_in_python import holds_the_interpreter

_PLENTY = 16
"""Calls at a time that are not too few: machines have 8 to 12 cores for each accelerator that they feed."""


def is_idle(program: Program, pipeline: Pipeline, stage: Stage, calls: Argument) -> bool:
    """Whether it is all the same whether so many calls run at a time or another number."""
    files = stage.argument("filenames")
    reads_one_file = files is not None and files.text is not None
    if reads_one_file or holds_the_interpreter(stage):
        return True
    # A single one is less than TensorFlow would choose by itself, but keeps Python code in turn, which may read on.
    if calls.integer == 1:
        python = stage.function.python if stage.function is not None else None
        return python is not None and (bool(python.causes) or not python.resolved)
    if (calls.integer or 0) >= _PLENTY or stage.call in _left_to_tensorflow(program):
        return True
    # No more calls of an interleave run at a time than inputs are open.
    cycle = stage.argument("cycle_length")
    if cycle is not None and cycle.integer is not None and 0 < cycle.integer <= (calls.integer or 0):
        return True
    if is_autotune_switched_off(program, stage):
        return True
    # A file that does without TensorFlow, for whichever backend, is not to import it for this.
    if program.module_at(stage.name).only_keras:
        return True
    if stage.op == "map" and not is_worth_threads(program, pipeline, stage):
        return True
    # What libraries make datasets with has reasons of its own for its number.
    is_foreign = stage.is_source and "num_parallel_calls" in stage.arguments
    return is_foreign or only_converts(pipeline) or is_of_no_account(program, pipeline) or does_little(program, stage)


@once_a_program
def _left_to_tensorflow(program: Program) -> frozenset[Location]:
    """The stages that have AUTOTUNE in some case: who writes a number for the other case wants just that many."""
    return frozenset(
        stage.call
        for pipeline in program.all_pipelines
        for stage in pipeline.stages
        if (calls := stage.argument("num_parallel_calls")) is not None and calls.is_autotune
    )
