"""What loops that take training steps do besides in each turn, beside which the dispatch of a step costs little."""

from __future__ import annotations

from collections.abc import Iterator

from pipelint.rule import (
    OWN_ENVIRONMENTS,
    Call,
    Callee,
    Function,
    Loop,
    Method,
    Program,
    Symbol,
    once_a_program,
    reads_single_files,
    writes_single_files,
)

from ._step_loops import training_loops

_WHOLE_RUNS = ("keras.Model.predict", "keras.Model.evaluate")
_READS_ARRAYS = "numpy.load"
_FROM_FILES = ("flow_from_directory", "flow_from_dataframe")
"""Loaders of Keras that read and decode pictures in Python."""


@once_a_program
def waiting_loops(program: Program) -> frozenset[Loop]:
    """The loops whose turns wait for something else than the model, whatever is done about that."""
    return frozenset(_waiting_loops(program))


def _waiting_loops(program: Program) -> Iterator[Loop]:
    playing = {loop for call in program.calls if call.plays for loop in call.loops}
    training, _ = training_loops(program)
    for call in program.calls:
        # An object that is played with and drawn is an environment, wherever it comes from.
        draws = call.last_name == "render" and not playing.isdisjoint(call.loops)
        for loop in call.loops if call.waits or (draws and call.on_unknown_object) else ():
            # A game that is drawn where somebody asks for it, and that nothing learns from, is played to be seen.
            shown = draws and loop in playing - training
            if call.symbol == "builtins.input" or shown or not call.guards - loop.guards:
                yield loop


@once_a_program
def sleeping_loops(program: Program) -> frozenset[Loop]:
    """The loops that sleep for a second or more in a turn, but for every so many turns: nothing else matters there."""
    sleeps = (call for call in program.calls if call.symbol == "time.sleep" and _seconds(call) >= 1)
    return frozenset(loop for call in sleeps for loop in call.loops if not any("%" in test for test in call.guards))


def _seconds(sleep: Call) -> float:
    time = next(sleep.arguments, None)
    return time.constant if time is not None and isinstance(time.constant, (int, float)) else 0


@once_a_program
def busy_loops(program: Program) -> frozenset[Loop]:
    """The loops whose own turns each run `predict` or `evaluate`, which take longer than a small model does op by op."""
    runs = (call for call in program.calls if call.symbol in _WHOLE_RUNS and call.loops)
    return frozenset(call.loops[-1] for call in runs if call.held <= call.loops[-1].always)


@once_a_program
def laden_loops(program: Program) -> frozenset[Loop]:
    """The loops whose turns load or save pictures or arrays in Python, or predict on the way through functions.

    A picture takes Python some milliseconds, and a batch of them longer than the dispatch of a step.
    """
    loading = _loading_functions(program)
    loops = {loop for call in program.calls for loop in call.loops}
    fed = {loop for loop in loops if any(_loads(one, loading) for one in loop.fed_by)}
    return frozenset(fed | {loop for call in program.calls for loop in _laden_by(call)})


def _laden_by(call: Call) -> Iterator[Loop]:
    """The loops around a call that does more in each turn than a step costs."""
    reads = call.trace is None and _reads_picture(call)
    writes = call.trace is None and writes_single_files(call.symbol)
    for loop in call.loops:
        # A function with other loops in it predicts for other inputs than those of the step.
        predicts = call.symbol in _WHOLE_RUNS and loop is not call.loops[-1] and not loop.region.holds(call.region)
        guards = call.guards - loop.guards
        # What is saved under a test is a state that is worth it, now and then.
        if (writes and not guards) or ((reads or predicts) and not any("%" in guard for guard in guards)):
            yield loop


def _reads_picture(call: Call) -> bool:
    return reads_single_files(call.symbol) or call.symbol == _READS_ARRAYS


def _loads(source: Callee, loading: frozenset[Function]) -> bool:
    """Whether a generator loads what it hands out, or a loader of Keras does."""
    match source:
        case Function():
            return source in loading
        case Symbol(name=name) | Method(name=name):
            return name.endswith(_FROM_FILES)
        case _:
            return False


@once_a_program
def _loading_functions(program: Program) -> frozenset[Function]:
    """The functions that load pictures, themselves or by those that they call."""
    found = {call.function for call in program.calls if call.function is not None and _reads_picture(call)}
    while found and (
        more := {call.function for call in program.calls if call.callee in found and call.function} - found
    ):
        found |= more
    return frozenset(found)


def is_busy_around(program: Program, step: Call) -> bool:
    """Whether the loop of a step predicts, loads or waits, or one around it does that more often than it takes steps."""
    busy = waiting_loops(program) | busy_loops(program) | laden_loops(program)
    *around, own = step.loops
    return own in busy or any(loop in busy and not step.held <= loop.always for loop in around)


def is_little_beside_moves(program: Program, step: Call) -> bool:
    """Whether a loop around, which takes steps now and then, predicts for each move in an environment of others.

    What a move in one costs is not known; those that come with gym cost nothing.
    """
    busy = busy_loops(program)
    around = {loop for loop in step.loops[:-1] if loop in busy and not step.held <= loop.always}
    if not any(call.plays and not around.isdisjoint(call.loops) for call in program.calls):
        return False
    making = (call for call in program.near(step.region).calls if call.last_name == "make")
    names = (argument.text or "" for call in making for argument in call.positional[:1])
    return not any(name.partition("-")[0] in OWN_ENVIRONMENTS for name in names)
