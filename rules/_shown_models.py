"""Calls of models whose result is only shown, or that are there to be timed or compared."""

from __future__ import annotations

import re

from pipelint.rule import PLOTTING, Call, Loop, LoopOver, Program, Region

from ._step_loops import training_loops
from ._timed_loops import is_timed_loop

_MEASURES = (
    "keras.losses.",
    "keras.metrics.",
    "sklearn.metrics.",
    "tensorflow.image.psnr",
    "tensorflow.image.ssim",
    "tensorflow.reduce_",
)
"""How names begin of what makes figures of the output of a model."""
_NAME = re.compile(r"\b[^\W\d]\w*")


def is_all_that_is_timed(program: Program, call: Call) -> bool:
    """Whether a loop on the clock does nothing but call models, on the same input in each turn: to time just that."""
    loop = call.loops[-1]
    if loop.over is not LoopOver.RANGE or not is_timed_loop(program, loop):
        return False
    alone = all(other.symbol == call.symbol for other in program.calls if loop in other.loops and other.trace is None)
    given = (program.written(argument.region) for argument in call.arguments if isinstance(argument.region, Region))
    return alone and loop.targets.isdisjoint(name for text in given for name in _NAME.findall(text))


def is_plotted(program: Program, call: Call) -> bool:
    """Whether a figure is drawn in the same function and turn as the model is called, whenever it is."""
    return any(
        plot.function is call.function and _is_in_turn_of(plot, call, call.loops)
        for plot in program.calls
        if plot.library in PLOTTING
    )


def fills_a_figure(program: Program, call: Call) -> bool:
    """Whether each turn of the loop around makes a figure, and trains and measures nothing: that shows what is made."""
    around = call.loops[:-1]
    if not around or call.loops[-1].over is LoopOver.DATASET or not training_loops(program)[0].isdisjoint(call.loops):
        return False
    beside = [other for other in program.calls if _is_in_turn_of(other, call, around)]
    return any(other.library in PLOTTING for other in beside) and not any(map(_measures, beside))


def _is_in_turn_of(other: Call, call: Call, loops: tuple[Loop, ...]) -> bool:
    """Whether each turn of these loops around a call that makes it makes the other call as well."""
    return other.loops[: len(loops)] == loops and other.guards <= call.guards


def is_for_pictures(program: Program, call: Call) -> bool:
    """Whether now and then a function runs the model only to show what it gives, and measures nothing by it."""
    seldom = {guard for guard in call.guards if "%" in guard}
    if not seldom or not call.pictured:
        return False
    beside = (other for other in program.calls if other.function is call.function and seldom <= other.guards)
    return not any(map(_measures, beside))


def _measures(call: Call) -> bool:
    return call.symbol.startswith(_MEASURES) or call.last_name == "update_state"


def is_shown_in_a_graph(program: Program, call: Call) -> bool:
    """Whether a function is defined again under its name, now in a graph, and calls the model in the same words."""
    eager = call.function
    if eager is None or eager.owner is not None:
        return False
    written = "".join(program.written(call.region).split())
    return any(
        other.trace is not None
        and other.function is not None
        and (other.function.name, other.function.owner) == (eager.name, None)
        and program.module_at(other.region) is program.module_at(call.region)
        and "".join(program.written(other.region).split()) == written
        for other in program.calls
        if other.function is not eager
    )
