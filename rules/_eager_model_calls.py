"""Calls of models that run op by op, over and over."""

from __future__ import annotations

from collections.abc import Container, Iterator
from math import prod

from pipelint.rule import (
    PLOTTING,
    Call,
    Function,
    Literal,
    Loop,
    LoopOver,
    Method,
    Program,
    Purpose,
    Region,
    purpose_of_words,
)

from ._busy_loops import busy_loops, waiting_loops
from ._eager_steps import eager_loops, eager_steps
from ._shown_models import is_all_that_is_timed, is_for_pictures, is_plotted_by, is_shown_in_a_graph
from ._step_loops import training_loops
from ._timed_loops import is_compared
from ._work_around_steps import MODEL_CALL, leads_to, runs_mostly_in_graphs

_SHORT = 1000
"""Calls whose dispatch takes some seconds, where the program makes them once."""
_MANY = 10_000
"""Calls that take the better part of a minute, wherever they stand."""


def eager_model_calls(program: Program) -> Iterator[tuple[Call, ...]]:
    """The calls of models that a graph would serve better, those of each Python loop: the first of each function."""
    found: dict[Region, list[Call]] = {}
    for call in _every_call(program):
        found.setdefault(call.loops[-1].region, []).append(call)
    return map(tuple, found.values())


def _every_call(program: Program) -> Iterator[Call]:
    if not any(call.symbol == MODEL_CALL for call in program.calls):
        return
    builders = {call.function for call in program.calls if _handles_layers(call)}
    training, stepping_loops = training_loops(program)
    in_passes = training > stepping_loops or any(call.fits for call in program.calls)
    plots = [call for call in program.calls if call.library in PLOTTING]
    waiting = waiting_loops(program) | busy_loops(program)
    # What stands in a step, or beside one that is written out, goes with it into the graph that PIPE701 asks for.
    steps = eager_steps(program)
    stepping = {step.function for step in steps} - {None}
    told = {(step.apply.function, step.loop.region) for step in steps if step.function is None}
    stepped = eager_loops(program).keys()
    # A step that runs in a graph too is shown in both ways, and PIPE701 has nothing to say of it.
    stepping |= {call.function for call in program.updates if call.trace is not None}
    applying = {loop for call in program.calls if _changes_weights(call) or call.plays for loop in call.loops}
    parts = {call.region for call in program.calls if call.under_tape and _is_in(call, stepped)}
    for call in program.calls:
        # Under a tape whose gradients change weights in the same turn it is part of a step, which PIPE701 looks at.
        if call.region in parts or (call.under_tape and call.loops[-1:] and call.loops[-1] in applying):
            continue
        if call.symbol != MODEL_CALL or not _runs_often(call) or _builds(call, builders):
            continue
        if runs_mostly_in_graphs(program, call) or is_all_that_is_timed(program, call):
            continue
        if in_passes and _passes_once(program, call, training):
            continue
        if (call.function is not None and call.function in stepping) or call.on_growing or call.loops[-1] in waiting:
            continue
        if any(is_plotted_by(plot, call) for plot in plots) or is_for_pictures(program, call):
            continue
        if is_shown_in_a_graph(program, call):
            continue
        place = (call.function, call.loops[-1].region)
        if place not in told and not is_compared(program, call.loops[-1], _runs_model):
            told.add(place)
            yield call


def _changes_weights(call: Call) -> bool:
    """Whether a call takes a training step, or changes a variable by hand, as those do who show how one works."""
    by_hand = isinstance(call.callee, Method) and call.last_name in ("assign_add", "assign_sub")
    # A counter of steps is raised by a number that is written there.
    return call.updates_weights or (by_hand and not any(isinstance(one.value, Literal) for one in call.arguments))


def _is_in(call: Call, places: Container[Region]) -> bool:
    return any(loop.region in places for loop in call.loops)


def _passes_once(program: Program, call: Call, training: set[Loop]) -> bool:
    """Whether a program that trains pass by pass goes once through a dataset for something else, which is little."""
    if len(call.loops) > 1 or call.loops[0].over is not LoopOver.DATASET or call.loops[0] in training:
        return False
    return call.function is None or any(leads_to(program, other, call.function) for other in _run_by_scripts(program))


def _run_by_scripts(program: Program) -> Iterator[Function]:
    """The functions that code outside of functions calls."""
    for call in program.calls:
        if call.function is None and isinstance(call.callee, Function):
            yield call.callee


def runs_with_steps(call: Call, training: set[Loop], stepping: set[Loop]) -> bool:
    """Whether a call is no small thing beside training steps: its loop takes such, or it is in one that takes one a turn.

    What runs once an epoch is one, unless it is written to run very often.
    """
    if call.loops[-1] in training or not stepping.isdisjoint(call.loops):
        return True
    return not training.isdisjoint(call.loops) and prod(loop.at_most or 1 for loop in call.loops) >= _MANY


def is_one_short_pass(call: Call) -> bool:
    """Whether one loop alone is around a call, and ends early or runs over what is named as kept for measuring."""
    if len(call.loops) > 1:
        return False
    loop = call.loops[0]
    bounded = loop.at_most is not None and loop.at_most <= _SHORT
    return bounded or purpose_of_words(loop.names) is Purpose.EVALUATION


def _runs_often(call: Call) -> bool:
    if call.trace is not None or not call.loops or call.has_traced_twin:
        return False
    if call.function is not None and call.function.wrapped:
        return False
    loop = call.loops[-1]
    if loop.over is LoopOver.OTHER or loop.epochs or loop.few:
        return False
    return call.held <= loop.always


def _runs_model(call: Call) -> bool:
    return call.last_name == "__call__" and not call.under_tape


def _handles_layers(call: Call) -> bool:
    return call.symbol.startswith("keras.layers.") or call.last_name == "Input"


def _builds(call: Call, builders: set[Function | None]) -> bool:
    """Whether the call may build a model, on symbolic inputs: its function makes or calls layers as well."""
    return call.function is not None and call.function in builders and call.loops[-1].over is not LoopOver.DATASET
