"""Loops that run training steps, and calls that take one."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable

from pipelint.rule import (
    RUNS_IN_GRAPHS,
    Call,
    Callee,
    Event,
    Function,
    Loop,
    LoopOver,
    Method,
    Program,
    Purpose,
    Region,
    Trace,
    TraceKind,
    once_a_program,
    purpose_of_words,
)

TAPE = "tensorflow.GradientTape"
_ON_BATCHES = frozenset({"train_on_batch"})
"""Methods of models that take a step in a graph, which Keras makes."""


def training_loops(program: Program) -> tuple[set[Loop], set[Loop]]:
    """The loops that take training steps: at whatever depth, and those that take one, or a few, in each turn."""
    steps = _steps(program)
    return {loop for call in steps for loop in call.loops}, {call.loops[-1] for call in steps}


def step_loops(program: Program, decorated: Container[Region]) -> dict[Loop, list[frozenset[str]]]:
    """The loops whose own body takes one training step in each turn, in a graph, with what holds where it does.

    Those at the given places count as if their steps were in one. A loop that plays in an environment is none: what it
    does next depends on what the model says.
    """
    several = {trace.function for trace in program.traces if _takes_several_steps(trace)}
    playing = {loop for call in program.calls if call.plays for loop in call.loops}
    found: dict[Loop, list[frozenset[str]]] = {}
    for call in _steps(program):
        in_a_graph = not call.updates_weights or call.last_name in _ON_BATCHES or call.loops[-1].region in decorated
        if in_a_graph and call.callee not in several and call.loops[-1] not in playing:
            found.setdefault(call.loops[-1], []).append(call.held)
    return found


def host_bound_loops(program: Program) -> set[Loop]:
    """The loops whose steps call Python out of their graph, so that they wait for the device in any case."""
    waiting = {trace.function for trace in program.traces if trace.function is not None and trace.python is not None}
    return {call.loops[-1] for call in _steps(program) if call.callee in waiting}


def takes_from_dataset(program: Program, loop: Loop) -> bool:
    """Whether a loop runs over a dataset, or asks an iterator of one for each turn's input."""
    users = (user for dataset in program.datasets for user in dataset.consumers)
    return loop.over is LoopOver.DATASET or any(user.region == loop.region for user in users)


def hands_on_its_turn(program: Program, loop: Loop) -> bool:
    """Whether functions, of which one takes the step, are given what a loop sets anew for each turn, or data by that."""
    own = (call for call in program.calls if call.loops and call.loops[-1] is loop)
    called = (call for call in own if isinstance(call.callee, Function) or takes_step(program, call))
    given = (argument.region for call in called for argument in call.arguments)
    texts = (program.written(place) for place in given if isinstance(place, Region))
    of_turn = made_of(program, loop, loop.targets)
    return any(not of_turn.isdisjoint(re.findall(r"\w+", text)) for text in texts)


def made_of(program: Program, loop: Loop, names: Iterable[str]) -> set[str]:
    """These variables, such as those that a loop sets anew for each turn, and what lines of its body make of them."""
    found = set(names)
    for name, value in re.findall(r"(?m)^\s*(\w+)\s*=(?!=)(.*)$", program.written(loop.region)):
        if not found.isdisjoint(re.findall(r"\w+", value)):
            found.add(name)
    return found


def tells_when_to_end(program: Program, event: Event) -> bool:
    """Whether a value goes to a method of an object by which a test ends the loop: `finder.see(loss); if finder.done`."""
    ends = " ".join(event.loops[-1].always)
    around = (call for call in program.calls if call.loops == event.loops and call.region.holds(event.region))
    texts = (program.written(Region(call.region.start, call.name.start)).removesuffix(".") for call in around)
    return any(re.search(rf"(?<![\w.]){re.escape(text)}\.", ends) for text in texts if text)


@once_a_program
def _steps(program: Program) -> tuple[Call, ...]:
    """The calls in Python loops that take a training step, but for those that only compare it with a graph."""
    stepping = graphs_that(program, changes_weights)
    in_python = (call for call in program.calls if call.loops and call.trace is None and not call.has_traced_twin)
    return tuple(call for call in in_python if call.updates_weights or call.callee in stepping)


def changes_weights(call: Call) -> bool:
    """Whether a call takes a training step, or applies the gradients of one."""
    return call.updates_weights


def graphs_that(program: Program, does: Callable[[Call], bool]) -> set[Callee]:
    """The functions under `tf.function` that make a call of this kind."""
    traces = (trace for trace in program.traces if trace.kind is TraceKind.FUNCTION)
    return {trace.function for trace in traces if trace.function is not None and any(map(does, trace.calls))}


def _takes_several_steps(trace: Trace) -> bool:
    """Whether traced code changes weights in a loop, or itself runs a model in one: one call of the graph is many steps.

    A loop in what it calls, such as that of a model over its layers, is part of one step.
    """
    return any(
        (call.updates_weights or (call.last_name == "__call__" and call.function is trace.function))
        and any(not loop.few for loop in call.loops)
        for call in trace.calls
    )


def takes_step(program: Program, call: Call) -> bool:
    """Whether a call takes a training step: it changes weights, or is the model under a tape."""
    if isinstance(call.callee, Function):
        return call.callee in _training_functions(program)
    return call.updates_weights or (call.under_tape and (call.callee is None or call.last_name == "__call__"))


@once_a_program
def _training_functions(program: Program) -> frozenset[Function]:
    return frozenset(call.function for call in program.updates if call.function is not None)


def is_named_step(call: Call) -> bool:
    """Whether a function out of sight is called that is named like one that trains."""
    return not isinstance(call.callee, Function) and purpose_of_words([call.last_name]) is Purpose.TRAINING


@once_a_program
def trains_op_by_op(program: Program) -> bool:
    """Whether a program trains by tapes of its own, and nothing in it runs a model in a graph."""
    tapes = [call for call in program.calls if call.symbol == TAPE]
    if not tapes or any(trace.kind in (TraceKind.FUNCTION, TraceKind.STEP) for trace in program.traces):
        return False
    return not any(isinstance(call.callee, Method) and call.last_name in RUNS_IN_GRAPHS for call in program.calls)
