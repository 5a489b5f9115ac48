"""Training steps that run untraced in Python loops: gradients are computed under a tape and applied."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from pipelint.rule import Call, Function, Loop, Program, Region, TraceKind, once_a_program

from ._applied_gradients import BY_HAND, apply_of, descends_by_hand, function_of_step
from ._busy_loops import is_little_beside_moves
from ._light_models import makers_of
from ._loop_turns import turn_at_most
from ._short_runs import is_over_at_once, is_short_run
from ._shown_on_purpose import teaches_graphs
from ._step_loops import TAPE, changes_weights
from ._timed_loops import is_compared
from ._under_tapes import calls_under_tapes
from ._work_around_steps import (
    does_much_more,
    is_shown_in_a_graph,
    plays_under,
)

_RUN_ONCE = frozenset({"absl", "fire", "tensorflow", "threading", "typer"})
"""Libraries that call what they are given once, as the main function of a script."""
_HANDFUL = 30
"""Eager steps that take about as long as it takes to trace one."""


@dataclass(frozen=True)
class EagerStep:
    """A step that runs untraced in a loop."""

    tape: Call
    apply: Call
    function: Function | None
    """The function that is the step; None where it is written out in the loop."""

    @property
    def loop(self) -> Loop:
        """The loop that runs the step."""
        return self.apply.loops[-1]

    @property
    def needs_only_decorator(self) -> bool:
        """Whether `@tf.function` is all that the step needs to run in a graph."""
        return self.function is not None and self.function.obstacle == ""

    @property
    def place(self) -> Region:
        """Where the step stands in its loop, or the tape in its function."""
        return self.tape.region if self.function or self.loop.region.holds(self.tape.region) else self.apply.name

    @property
    def obstacle(self) -> str:
        """What keeps the step from running in a graph, or may do so, in words."""
        if self.function is not None:
            return self.function.obstacle or ""
        elsewhere = self.tape.function if not self.loop.region.holds(self.tape.region) else None
        return self.tape.obstacle or (elsewhere.obstacle or "" if elsewhere is not None else "")

    @property
    def never_runs(self) -> bool:
        """Whether it stands in a function that the program never gets to."""
        functions = (self.function, self.apply.function, self.tape.function)
        return any(function is not None and function.unused for function in functions)


def may_take_several_optimizers(program: Program, step: EagerStep) -> bool:
    """Whether a step is given its optimizer, and may be given another one: that makes variables in a graph once more.

    So where it is called at several places, or a library calls the function that makes the optimizer.
    """
    if step.function is None:
        return False
    optimizer = program.written(Region(step.apply.region.start, step.apply.name.start)).rstrip(". \n")
    places = {call.region for call in program.calls_of.get(step.function, ())}
    makers = {maker.function for maker in makers_of(program, step.apply)}
    is_given = optimizer in step.function.parameters
    return is_given and (len(places) > 1 or any(_is_handed_out(program, maker) for maker in makers))


def _is_handed_out(program: Program, function: Function | None) -> bool:
    """Whether the program calls a function nowhere itself, and gives it to a library that may call it again and again."""
    if function is None or function in program.calls_of:
        return False
    calls = (call for call in program.calls if call.library not in _RUN_ONCE)
    given = (argument.region for call in calls for argument in call.arguments if isinstance(argument.region, Region))
    return any(program.written(region) == function.name for region in given)


def runs_seldom(program: Program, step: EagerStep) -> bool:
    """Whether a step does not run very often, or is for show."""
    # Those who write the descent by hand show how it works.
    return is_short_run(program, step.apply) or step.apply.symbol == BY_HAND


def loops_on_new_objects(program: Program, step: EagerStep) -> tuple[Loop, ...] | None:
    """The loops that run a step on one set of objects, where a loop around them makes some of these anew; else None."""
    loops = step.apply.loops
    used = calls_under_tapes(program, loops)
    renewing = [call.renewed_in for call in (step.apply, *used) if call.renewed_in in loops]
    return loops[max(map(loops.index, filter(None, renewing))) + 1 :] if renewing else None


@once_a_program
def eager_steps(program: Program) -> tuple[EagerStep, ...]:
    """The steps that nothing traces and that could be traced: one for each function, or loop in which one is written."""
    return tuple(_eager_steps(program))


def _eager_steps(program: Program) -> Iterator[EagerStep]:
    tapes = [call for call in program.calls if call.symbol == TAPE]
    if not tapes:
        return
    # A `train_step` runs in a graph where Keras calls it, and op by op in a loop of the program.
    traced = {tape.region for tape in tapes if tape.trace is not None and tape.trace.kind is not TraceKind.STEP}
    applied = [call for call in program.calls if call.updates_weights or descends_by_hand(call)]
    found: set[Function | Loop] = set()
    for tape in tapes:
        apply = apply_of(tape, tapes, applied)
        if apply is None or tape.region in traced or tape.has_traced_twin or all(loop.few for loop in apply.loops):
            continue
        if plays_under(program, tape) or _may_be_called_by_keras(program, tape):
            continue
        function = function_of_step(program, tape, apply)
        if any(one is not None and one.wrapped for one in (tape.function, apply.function, function)):
            continue
        step = EagerStep(tape, apply, function)
        if (
            (function or step.loop) in found
            or tape.trace is not None
            or is_compared(program, step.loop, changes_weights)
        ):
            continue
        if (function is None or function.owner is None) and is_shown_in_a_graph(program, tape):
            continue
        inner = loops_on_new_objects(program, step)
        # A graph for each of them would take about as long to trace as its few steps take.
        seldom = inner is not None and turn_at_most(program, inner, _HANDFUL) and (inner or function is None)
        if seldom or step.never_runs or is_over_at_once(program, apply) or _is_of_a_lesson(program, step):
            continue
        if not does_much_more(program, apply.loops) and not is_little_beside_moves(program, apply):
            found.add(function or step.loop)
            yield step


def _is_of_a_lesson(program: Program, step: EagerStep) -> bool:
    """Whether a script that goes on to show what tf.function does writes the step out in a loop of its own."""
    return step.apply.function is None and step.function is None and teaches_graphs(program, step.tape.region)


@once_a_program
def eager_loops(program: Program) -> Mapping[Region, EagerStep]:
    """The loops that run untraced steps, by their places: a loop is followed as often as the function around it."""
    steps = {step.apply.region: step for step in eager_steps(program)}
    return {call.loops[-1].region: steps[call.region] for call in program.calls if call.loops and call.region in steps}


def _may_be_called_by_keras(program: Program, tape: Call) -> bool:
    """Whether a method that nobody in sight calls may well be reached from a `train_step` that Keras traces."""
    overrides = any(trace.kind is TraceKind.STEP for trace in program.traces)
    return overrides and tape.function is not None and all(loop.region.holds(tape.region) for loop in tape.loops)
