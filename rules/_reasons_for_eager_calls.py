"""Why the call of a model that a loop makes from Python is better left as it is."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator

from pipelint.rule import (
    ONLY_OF_TORCH,
    Call,
    Function,
    Literal,
    Loop,
    LoopOver,
    Method,
    Program,
    Region,
    once_a_program,
)

from ._busy_loops import busy_loops, waiting_loops
from ._devices import is_on_processor
from ._eager_steps import eager_loops, eager_steps
from ._graph_models import runs_mostly_in_graphs
from ._light_models import has_no_layers
from ._shapes_of_turns import differs_in_shape, grows
from ._shown_models import fills_a_figure, is_all_that_is_timed, is_for_pictures, is_plotted, is_shown_in_a_graph
from ._step_loops import training_loops
from ._timed_loops import is_compared
from ._work_around_steps import does_much_more, leads_to


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


def _waits(program: Program, call: Call) -> bool:
    """Whether each turn waits, or runs a model as a whole besides."""
    return call.loops[-1] in waiting_loops(program) | busy_loops(program)


def _is_once_a_game(program: Program, call: Call) -> bool:
    """Whether each turn also plays a whole game, or trains on all of the data, beside which one call is nothing."""
    return does_much_more(program, call.loops)


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


def _is_of_torch(program: Program, call: Call) -> bool:
    """Whether the program uses the object as a module of PyTorch, which a class may be instead of a model of Keras."""
    return call.made_at is not None and call.made_at in _modules_of_torch(program)


@once_a_program
def _modules_of_torch(program: Program) -> frozenset[Region | None]:
    return frozenset(
        call.made_at for call in program.calls if isinstance(call.callee, Method) and call.last_name in ONLY_OF_TORCH
    )


REASONS: tuple[Callable[[Program, Call], bool], ...] = (
    _is_of_torch,
    _builds,
    is_on_processor,
    grows,
    differs_in_shape,
    _waits,
    _is_part_of_step,
    _passes_once,
    runs_mostly_in_graphs,
    has_no_layers,
    is_all_that_is_timed,
    is_plotted,
    fills_a_figure,
    is_for_pictures,
    is_shown_in_a_graph,
    _is_compared,
    _is_once_a_game,
)
"""Why a graph of a call that runs often would serve nobody, each on its own."""
