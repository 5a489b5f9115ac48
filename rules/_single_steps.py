"""Calls of `fit` that a loop makes for no more than a training step each."""

from __future__ import annotations

from collections.abc import Iterator

from pipelint.rule import Call, Loop, LoopOver, Program, once_a_program

from ._busy_loops import sleeping_loops
from ._loop_turns import turn_at_most

_SOON_OVER = 100
"""Calls whose set-up, some tens of milliseconds each, takes a few seconds in all."""
_MORE = frozenset(
    {"callbacks", "class_weight", "initial_epoch", "validation_data", "validation_split", "steps_per_epoch"}
)
"""Arguments for something that `train_on_batch` does not do."""
_STEP = 1024
"""Rows that are one step, or a few, where a batch is of a usual size."""


def fits_of_single_steps(program: Program) -> Iterator[tuple[Call, str]]:
    """The calls of `fit` in Python loops that get one batch each, with what shows that, in words."""
    for call in program.calls:
        if call.symbol == "keras.Model.fit" and _is_repeated(program, call) and _only_steps(call):
            little = _little(program, call)
            if little is not None:
                yield call, little


def _is_repeated(program: Program, call: Call) -> bool:
    """Whether a loop makes the call more than now and then, and always of the same model."""
    if call.trace is not None or not call.loops or turn_at_most(program, call.repeated_by, _SOON_OVER):
        return False
    if call.loops[-1] in sleeping_loops(program):
        return False
    return call.renewed_in is None and not any("%" in test for test in call.guards)


def _only_steps(call: Call) -> bool:
    """Whether `train_on_batch` does the same: one epoch, and nothing besides."""
    epochs = call.argument("epochs")
    once = epochs is None or epochs.integer == 1
    return once and not call.hides_arguments and _MORE.isdisjoint(call.keywords)


def _little(program: Program, call: Call) -> str | None:
    loop, data = call.loops[-1], call.argument("x")
    if data is None or program.takes_dataset(call):
        return None
    rows = data.rows or data.most_rows
    if rows is not None:
        size = call.argument("batch_size")
        batch = size.integer if size is not None else 32
        return f"{rows} rows" if batch is not None and rows <= min(batch, _STEP) else None
    if loop.over is LoopOver.DATASET and loop.region.holds(call.region) and call.on_tensor:
        return "one batch of a dataset"
    moving, around = _playing_loops(program)
    # Once a game is little beside its moves.
    if loop in moving or (loop not in around and not around.isdisjoint(call.loops)):
        return "some moves in an environment"
    return None


@once_a_program
def _playing_loops(program: Program) -> tuple[frozenset[Loop], frozenset[Loop]]:
    """The loops that move an environment on in each turn, and all loops around such moves."""
    moves = [call.loops for call in program.calls if call.plays and call.loops]
    return frozenset(loops[-1] for loops in moves), frozenset(loop for loops in moves for loop in loops)
