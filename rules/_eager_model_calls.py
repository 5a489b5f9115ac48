"""Calls of models that run op by op, over and over."""

from __future__ import annotations

from collections.abc import Iterator
from math import prod

from pipelint.rule import PLOTTING, Call, Function, LoopOver, Program

from ._eager_steps import eager_steps
from ._step_loops import is_compared


def eager_model_calls(program: Program) -> Iterator[Call]:
    """The calls of models in Python loops that a graph would serve better: of those in one loop the first."""
    builders = {call.function for call in program.calls if _handles_layers(call)}
    plots = [call for call in program.calls if call.library in PLOTTING]
    asking = {loop for call in program.calls if call.symbol == "builtins.input" for loop in call.loops}
    # What stands beside a step that is written out goes with it into the function that PIPE701 asks for.
    told = {(step.apply.function, step.loop) for step in eager_steps(program) if step.function is None}
    for call in program.calls:
        if call.symbol != "keras.Model.__call__" or not _runs_often(call) or _builds(call, builders):
            continue
        if call.on_growing or call.loops[-1] in asking or any(_shows(plot, call) for plot in plots):
            continue
        place = (call.function, call.loops[-1])
        if place not in told and not is_compared(program, call.loops[-1], _runs_model):
            told.add(place)
            yield call


def runs_at_most(call: Call, times: int) -> bool:
    """Whether the loops around a call are written to turn no more often than this."""
    return prod(times + 1 if loop.turns is None else loop.turns for loop in call.loops) <= times


def _runs_often(call: Call) -> bool:
    if call.trace is not None or call.under_tape or not call.loops or call.has_traced_twin:
        return False
    if call.function is not None and call.function.wrapped:
        return False
    loop = call.loops[-1]
    if loop.over is LoopOver.OTHER or loop.epochs or loop.few:
        return False
    return not call.guards - loop.guards


def _shows(plot: Call, call: Call) -> bool:
    """Whether a figure is drawn in the same function and turn as the model is called, whenever it is."""
    together = plot.function is call.function and plot.loops[: len(call.loops)] == call.loops
    return together and plot.guards <= call.guards


def _runs_model(call: Call) -> bool:
    return call.last_name == "__call__" and not call.under_tape


def _handles_layers(call: Call) -> bool:
    return call.symbol.startswith("keras.layers.") or call.last_name == "Input"


def _builds(call: Call, builders: set[Function | None]) -> bool:
    """Whether the call may build a model, on symbolic inputs: its function makes or calls layers as well."""
    return call.function is not None and call.function in builders and call.loops[-1].over is not LoopOver.DATASET
