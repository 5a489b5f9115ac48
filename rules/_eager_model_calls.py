"""Calls of models that run op by op, over and over."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from math import prod

from pipelint.rule import (
    RUNS_IN_GRAPHS,
    Call,
    Literal,
    Loop,
    LoopOver,
    Program,
    Purpose,
    Region,
    once_a_program,
    purpose_of_words,
)

from ._busy_loops import laden_loops
from ._commented_decorators import is_turned_off
from ._eager_steps import eager_steps
from ._graphs_held_back import runs_functions_eagerly
from ._loop_turns import gives_few_batches, turn_at_most, turn_more_often
from ._padded_batches import has_padded_batches
from ._reasons_for_eager_calls import REASONS
from ._step_loops import training_loops
from ._under_tapes import MODEL_CALL
from ._work_around_steps import is_eager_on_purpose

_AT_ONCE = 500
"""Calls that take a second or two in all, with some milliseconds for each (measured: evidence.json)."""
_FEW = 200
"""Calls that take a second in all."""
_SHORT = 1000
"""Calls whose dispatch takes some seconds, where the program makes them once."""
_MANY = 10_000
"""Calls that take the better part of a minute, wherever they stand."""


def calls_for_graphs(program: Program) -> Iterator[tuple[Call, ...]]:
    """The calls of models that belong into a graph, those of a loop and of the loops around it together."""
    training, stepping = training_loops(program)
    training = training - {loop for step in eager_steps(program) for loop in step.apply.loops}
    found: dict[Loop, tuple[Call, ...]] = {}
    for calls in _by_loop(program):
        call, loop = calls[0], calls[0].loops[-1]
        if turn_at_most(program, call.repeated_by, _AT_ONCE):
            continue
        padded = has_padded_batches(program, loop)
        long = loop.over is LoopOver.DATASET and not _is_one_short_pass(call) and (not padded or len(call.loops) > 1)
        matters = not _is_small_part(program, call) and (long or _runs_with_steps(call, training, stepping))
        often = turn_more_often(program, call.loops, _AT_ONCE) and not padded
        around = next((loop for loop in call.loops[:-1] if loop in found), None)
        if around is not None:
            # It runs in each turn of both loops.
            found[loop] = (*calls, *found.pop(around))
        elif (matters or often) and not _is_short_test(program, call):
            found[loop] = calls
    yield from found.values()


def _by_loop(program: Program) -> Iterator[tuple[Call, ...]]:
    """The calls of models that a graph would serve better, those of each Python loop: the first of each function."""
    found: dict[Region, list[Call]] = {}
    for call in _every_call(program):
        found.setdefault(call.loops[-1].region, []).append(call)
    return map(tuple, found.values())


def _every_call(program: Program) -> Iterator[Call]:
    # Beside a step that is written out the model goes with it into the graph that PIPE701 asks for.
    told = {(step.apply.function, step.loop.region) for step in eager_steps(program) if step.function is None}
    for call in program.calls:
        if call.symbol != MODEL_CALL or not _runs_often(call) or is_turned_off(program, call.function):
            continue
        if runs_functions_eagerly(program.near(call.region)):
            continue
        if any(reason(program, call) for reason in REASONS):
            continue
        place = (call.function, call.loops[-1].region)
        if place not in told:
            told.add(place)
            yield call


def _runs_with_steps(call: Call, training: set[Loop], stepping: set[Loop]) -> bool:
    """Whether a call is no small thing beside training steps: its loop takes such, or it is in one that takes one a turn.

    What runs once an epoch is one, unless it is written to run very often; so is what a test lets run now and then.
    """
    each_turn = any(loop in stepping and not _is_tested(call.loops[depth:]) for depth, loop in enumerate(call.loops))
    if call.loops[-1] in training or each_turn:
        return True
    return not training.isdisjoint(call.loops) and prod(loop.at_most or 1 for loop in call.loops) >= _MANY


def _is_short_test(program: Program, call: Call) -> bool:
    """Whether its loop makes few turns, and runs where a test in the loop around says so, as every so many steps."""
    return _is_tested(call.loops) and turn_at_most(program, call.loops[-1:], _FEW)


def _is_tested(loops: tuple[Loop, ...]) -> bool:
    """Whether one of these loops runs only in some turns of the one around it."""
    return any(not inner.guards <= outer.guards | outer.always for outer, inner in pairwise(loops))


def _is_small_part(program: Program, call: Call) -> bool:
    """Whether a call is little beside what its loop does besides, or has few batches, or runs eagerly on purpose."""
    loop = call.loops[-1]
    few = loop.over is LoopOver.DATASET and gives_few_batches(program, loop)
    return few or loop in _heavy_loops(program) or is_eager_on_purpose(program, call)


@once_a_program
def _heavy_loops(program: Program) -> frozenset[Loop]:
    """The loops whose turns also take training steps op by op, or load pictures, beside which one call is little."""
    steps = [step.apply for step in eager_steps(program)]
    steps += [call for call in program.updates if call.trace is None and call.last_name not in RUNS_IN_GRAPHS]
    return laden_loops(program).union(loop for step in steps for loop in step.loops)


def _is_one_short_pass(call: Call) -> bool:
    """Whether one loop alone is around a call, and ends early or runs over what is named as kept for measuring."""
    if len(call.loops) > 1:
        return False
    loop = call.loops[0]
    bounded = loop.at_most is not None and loop.at_most <= _SHORT
    return bounded or purpose_of_words(loop.names) is Purpose.EVALUATION


def fits_predict(call: Call) -> bool:
    """Whether `predict` does the same: it gives the model one input, not in training, and has one result for it."""
    training = call.keywords.get("training")
    plain = call.keywords.keys() <= {"training"} and (training is None or training.value == Literal(False))
    return plain and len(call.positional) == 1 and not (call.hides_arguments or call.parts or call.under_tape)


def _runs_often(call: Call) -> bool:
    if call.trace is not None or not call.loops or call.has_traced_twin:
        return False
    if call.function is not None and call.function.wrapped:
        return False
    loop = call.loops[-1]
    # What a loop runs over that is out of sight may be little, but for one that is watched, over and over.
    out_of_sight = loop.over is LoopOver.OTHER and not (loop.watched and len(call.loops) > 1)
    if out_of_sight or loop.epochs or loop.few:
        return False
    return call.held <= loop.always
