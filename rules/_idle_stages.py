"""Stages of which it is all the same how many of their calls run at a time."""

from __future__ import annotations

from pipelint.rule import LITTLE_WORK, Argument, Pipeline, Program, Stage

from ._automatic import is_of_no_account
from ._batching import takes_batches
from ._light_elements import does_little
from ._purpose import only_converts
from ._work_in_python import holds_the_interpreter


def is_idle(program: Program, pipeline: Pipeline, stage: Stage, calls: Argument) -> bool:
    """Whether it is all the same whether so many calls run at a time or another number."""
    files = stage.argument("filenames")
    reads_one_file = files is not None and files.text is not None
    if reads_one_file or holds_the_interpreter(stage):
        return True
    # A single one is less than TensorFlow would choose by itself.
    if calls.integer == 1:
        return False
    return only_converts(pipeline) or is_of_no_account(program, pipeline) or _only_casts_batches(program, stage)


def _only_casts_batches(program: Program, stage: Stage) -> bool:
    """Whether a map of whole batches is known to call nothing that does more than cast, reshape, join or fill tensors."""
    return takes_batches(stage) and does_little(program, stage, LITTLE_WORK)
