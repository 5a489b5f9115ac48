"""Calls of models that run op by op, over and over."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator
from math import prod

from pipelint.rule import (
    Call,
    Function,
    Literal,
    Loop,
    LoopOver,
    Method,
    Program,
    Purpose,
    Region,
    once_a_program,
    purpose_of_words,
)

from ._busy_loops import busy_loops, waiting_loops
from ._eager_steps import eager_loops, eager_steps
from ._light_models import has_no_layers, runs_mostly_in_graphs
from ._shown_models import is_all_that_is_timed, is_for_pictures, is_plotted, is_shown_in_a_graph
from ._step_loops import training_loops
from ._timed_loops import is_compared
from ._work_around_steps import MODEL_CALL, leads_to

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
    # Beside a step that is written out the model goes with it into the graph that PIPE701 asks for.
    told = {(step.apply.function, step.loop.region) for step in eager_steps(program) if step.function is None}
    for call in program.calls:
        if call.symbol != MODEL_CALL or not _runs_often(call) or any(ask(program, call) for ask in _REASONS):
            continue
        place = (call.function, call.loops[-1].region)
        if place not in told:
            told.add(place)
            yield call


def _is_part_of_step(program: Program, call: Call) -> bool:
    """Whether it stands in a training step, which PIPE701 looks at, or under a tape whose turn changes weights."""
    # A step that runs in a graph too is shown in both ways, and PIPE701 has nothing to say of it.
    if call.function is not None and call.function in _stepping_functions(program):
        return True
    return call.region in _regions_of_steps(program) or (call.under_tape and call.loops[-1] in _applying_loops(program))


@once_a_program
def _stepping_functions(program: Program) -> frozenset[Function | None]:
    traced = {call.function for call in program.updates if call.trace is not None}
    return frozenset({step.function for step in eager_steps(program)} | traced)


@once_a_program
def _regions_of_steps(program: Program) -> frozenset[Region]:
    stepped = eager_loops(program).keys()
    return frozenset(call.region for call in program.calls if call.under_tape and _is_in(call, stepped))


@once_a_program
def _applying_loops(program: Program) -> frozenset[Loop]:
    return frozenset(loop for call in program.calls if _changes_weights(call) or call.plays for loop in call.loops)


def _changes_weights(call: Call) -> bool:
    """Whether a call takes a training step, or changes a variable by hand, as those do who show how one works."""
    by_hand = isinstance(call.callee, Method) and call.last_name in ("assign_add", "assign_sub")
    # A counter of steps is raised by a number that is written there.
    return call.updates_weights or (by_hand and not any(isinstance(one.value, Literal) for one in call.arguments))


def _is_in(call: Call, places: Container[Region]) -> bool:
    return any(loop.region in places for loop in call.loops)


def _passes_once(program: Program, call: Call) -> bool:
    """Whether a program that trains pass by pass goes once through a dataset for something else, which is little."""
    training, stepping = training_loops(program)
    if not (training > stepping or any(call.fits for call in program.calls)):
        return False
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


def _grows(_: Program, call: Call) -> bool:
    """Whether its input grows with each turn: a graph would be made for each length."""
    return call.on_growing


def _waits(program: Program, call: Call) -> bool:
    """Whether each turn waits, or runs a model as a whole besides."""
    return call.loops[-1] in waiting_loops(program) | busy_loops(program)


def _is_compared(program: Program, call: Call) -> bool:
    return is_compared(program, call.loops[-1], _runs_model)


def _runs_model(call: Call) -> bool:
    return call.last_name == "__call__" and not call.under_tape


def _builds(program: Program, call: Call) -> bool:
    """Whether the call may build a model, on symbolic inputs: its function makes or calls layers as well."""
    over_dataset = call.loops[-1].over is LoopOver.DATASET
    return call.function is not None and call.function in _builders(program) and not over_dataset


@once_a_program
def _builders(program: Program) -> frozenset[Function | None]:
    return frozenset(call.function for call in program.calls if _handles_layers(call))


def _handles_layers(call: Call) -> bool:
    return call.symbol.startswith("keras.layers.") or call.last_name == "Input"


_REASONS: tuple[Callable[[Program, Call], bool], ...] = (
    _builds,
    _grows,
    _waits,
    _is_part_of_step,
    _passes_once,
    runs_mostly_in_graphs,
    has_no_layers,
    is_all_that_is_timed,
    is_plotted,
    is_for_pictures,
    is_shown_in_a_graph,
    _is_compared,
)
"""Why a graph of a call that runs often would serve nobody, each on its own."""
