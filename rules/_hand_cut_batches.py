"""Training steps in a loop that are given slices of arrays, one after the other."""

from __future__ import annotations

from collections.abc import Iterator

from pipelint.rule import Call, DeviceBlock, Loop, Program, Region, once_a_program

from ._little_data import MANY
from ._loop_turns import turn_at_most
from ._step_loops import takes_step

_KEEPS_STATE = frozenset({"reset_state", "reset_states"})
"""Methods of recurrent layers and models whose state goes on from batch to batch."""


def hand_cut_batches(program: Program) -> Iterator[Call]:
    """The calls in Python loops that take a training step on a slice `x[i : i + k]`, where nothing speaks for that."""
    for call in _steps_on_slices(program):
        if call.trace is not None or call.has_traced_twin or _is_tested(call) or _stands_on_cpu(program, call.region):
            continue
        near = program.near(call.region)
        if not (_depends_on_steps(near) or _trains_several(near, call.loops[-1])):
            yield call


def _steps_on_slices(program: Program) -> Iterator[Call]:
    for call in (call for call in program.calls if call.loops):
        rows = max((argument.rows or 0 for argument in call.arguments), default=0)
        # Fewer than a thousand examples are few, however often a loop around runs through them.
        many = rows and not turn_at_most(program, call.loops[-1:], (MANY - 1) // rows)
        if many and takes_step(program, call):
            yield call


def _is_tested(call: Call) -> bool:
    return call.function is not None and call.function.is_test


def _stands_on_cpu(program: Program, place: Region) -> bool:
    blocks = (event for event in program.events if isinstance(event, DeviceBlock) and event.region.holds(place))
    return any("CPU" in block.device.upper().replace(":", "/").split("/") for block in blocks)


@once_a_program
def _depends_on_steps(program: Program) -> bool:
    """Whether rows come out of an environment, or layers keep a state from one batch to the next."""
    return any(call.plays or call.last_name in _KEEPS_STATE for call in program.calls)


def _trains_several(program: Program, loop: Loop) -> bool:
    """Whether the turns of a loop take steps at several places: of models that are trained against each other."""
    steps = {call.region for call in program.calls if loop in call.loops and takes_step(program, call)}
    return len(steps) > 1
