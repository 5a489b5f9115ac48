"""Calls of `predict` and `evaluate` that a loop makes for a little input each."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum

from pipelint.rule import PICTURES, Call, Literal, Loop, LoopOver, Program, Region, once_a_program, writes_single_files

from ._busy_loops import laden_loops, sleeping_loops, waiting_loops
from ._loop_turns import looped, turn_at_most
from ._modules import runs_with_tensorflow_1
from ._reasons_for_few import keeps_state
from ._shown_models import is_all_that_is_timed, is_plotted
from ._sliced_arrays import most_rows
from ._step_loops import training_loops

_RUNS = ("keras.Model.predict", "keras.Model.evaluate")
_DRAWN = re.compile(r"\b(random|rand|randn|uniform)\b")
"""A test that a draw decides, by which an agent explores now and then instead of asking its model."""
_DRAWS = PICTURES - {"save"}
"""Functions that show or write a picture, by names that say so whatever package they are of."""
_AXIS = re.compile(r"for \w+ in range\((?P<array>\w+)\.shape\[(?P<number>[01])\]\)")
_SOON_OVER = 100
"""Calls whose set-up, some tens of milliseconds each, takes a few seconds in all."""


class Little(Enum):
    """What shows that a call is given little: its input, or what else the loop does in each turn."""

    MOVE = "beside a move in an environment"
    STEP = "beside a training step"
    ROW = "for one row"
    BATCH = "for one batch of a dataset"


@dataclass(frozen=True)
class Prediction:
    """A call that a loop makes over and over, with what it is made for."""

    call: Call
    little: Little
    alone: bool
    """Whether nothing else in sight takes time in each turn, no file is read, no camera waited for, and it is not soon
    over."""


def predictions_in_loops(program: Program) -> Iterator[tuple[Prediction, ...]]:
    """The predictions on little input in Python loops: those of one function and loop together."""
    plays = {loop for call in program.calls if call.plays for loop in call.loops[-1:]}
    _, stepping = training_loops(program)
    laden = laden_loops(program)
    busy = laden | waiting_loops(program)
    found: dict[object, dict[object, Prediction]] = {}
    for call in program.calls:
        if call.symbol not in _RUNS or not _is_repeated(program, call):
            continue
        if runs_with_tensorflow_1(program, program.module_at(call.region)):
            continue  # There they make no dataset.
        little = _little(program, call, plays, stepping)
        if little is None or is_plotted(program, call) or is_all_that_is_timed(program, call):
            continue
        loop = call.loops[-1]
        counted = loop.over in (LoopOver.RANGE, LoopOver.DATASET) or little in (Little.MOVE, Little.STEP)
        if loop in laden and not counted:
            continue  # To read files one by one takes about as long, and nobody knows how many.
        together = found.setdefault((call.function, loop.region), {})
        alone = counted and loop not in busy and not _goes_over_patches(program, call)
        together.setdefault(call.region, Prediction(call, little, alone))
    return (tuple(group.values()) for group in found.values())


def _goes_over_patches(program: Program, call: Call) -> bool:
    """Whether all loops around are those over the rows and the columns of one array of patches, which one picture gives."""
    axes = [_AXIS.match(program.written(loop.region)) for loop in call.loops]
    arrays = {axis["array"] if axis else "" for axis in axes}
    numbers = sorted(axis["number"] for axis in axes if axis)
    return len(arrays) == 1 and numbers == ["0", "1"]


def _is_repeated(program: Program, call: Call) -> bool:
    """Whether a call stands in a loop that makes it more than now and then, and always of the same model."""
    if (
        call.trace is not None
        or call.under_tape
        or not call.loops
        or turn_at_most(program, call.repeated_by, _SOON_OVER)
    ):
        return False
    asks_user = any(other.symbol == "builtins.input" and other.loops == call.loops for other in program.calls)
    if asks_user or call.loops[-1] in sleeping_loops(program):
        return False
    # What a stateful layer gives for a row waits for the row before.
    if any(one.library == "keras" and keeps_state(one) for one in program.near(call.region).calls):
        return False
    return not _takes_another_model(program, call) and not any("%" in test for test in call.guards)


def _takes_another_model(program: Program, call: Call) -> bool:
    """Whether each turn of the loop makes or fetches the model that it asks, as for those of an ensemble."""
    loop = call.loops[-1]
    model = program.written(Region(call.region.start, call.name.start)).removesuffix(".")
    named = model.isidentifier() and loop.region.holds(call.region)
    fetched = named and re.search(rf"(?m)^\s*{model}\s*=(?!=)", program.written(loop.region)) is not None
    return fetched or call.renewed_in is loop


def _little(program: Program, call: Call, plays: set[Loop], stepping: set[Loop]) -> Little | None:
    """What shows that a call in a loop is given little; None where it may well be given much."""
    loop, data = call.loops[-1], call.argument("x")
    evaluates = call.last_name == "evaluate"
    if program.takes_dataset(call) or data is None:
        return None
    if loop in plays and not evaluates:
        return Little.MOVE if all(map(_DRAWN.search, call.held - loop.always)) else None
    if loop.epochs or loop.few:
        return None
    rows = most_rows(data)
    if rows == 1:
        return None if loop.over is LoopOver.OTHER and loop in _drawing_loops(program) else Little.ROW
    if loop in stepping and call.held <= loop.always and not evaluates:
        return Little.STEP
    # What a function does with a batch that it is given may be anything.
    given = loop.over is LoopOver.DATASET and loop.region.holds(call.region) and call.on_tensor and rows is None
    # A second pass would come in another order than the labels that the loop takes from this one.
    kept = given and loop not in _writing_loops(program) and not _is_reordered(program, loop)
    # Of a loop that is left when it has enough, the dataset as a whole would be more work.
    return Little.BATCH if kept and loop.always <= loop.guards else None


def _is_reordered(program: Program, loop: Loop) -> bool:
    """Whether a loop runs over a dataset that is shuffled, or whose elements come as they are ready."""
    stages = [stage for pipeline in looped(program, loop) for stage in pipeline.stages]
    given = (stage.argument("deterministic") for stage in stages)
    as_ready = any(argument is not None and argument.value == Literal(False) for argument in given)
    return as_ready or any(stage.op == "shuffle" for stage in stages)


@once_a_program
def _writing_loops(program: Program) -> frozenset[Loop]:
    """The loops whose turns write files, one by one: beside that the set-up for a whole batch is little."""
    writes = (call for call in program.calls if call.trace is None and writes_single_files(call.symbol))
    return frozenset(loop for call in writes for loop in call.loops if not any("%" in test for test in call.guards))


@once_a_program
def _drawing_loops(program: Program) -> frozenset[Loop]:
    """The loops whose turns each show or write a picture, which takes as long as a call of `predict`."""
    draws = (call for call in program.calls if call.loops and call.last_name in _DRAWS)
    return frozenset(call.loops[-1] for call in draws)
