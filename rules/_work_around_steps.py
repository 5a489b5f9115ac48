"""What a program does under the tape of a training step and around it, beside which a graph of the step may not pay."""

from __future__ import annotations

from pipelint.rule import (
    Call,
    Function,
    Loop,
    LoopOver,
    Program,
    speaks_of_eager,
)

from ._step_loops import TAPE
from ._under_tapes import calls_under_tape


def does_much_more(program: Program, loops: tuple[Loop, ...]) -> bool:
    """Whether each turn of the innermost loop also trains a model on all of its data, or plays a whole game.

    Beside that one step costs nothing, nor do a few: so the loops around count too, where those in them turn a few times.
    """
    *_, innermost = loops
    around = [loop for depth, loop in enumerate(loops[:-1], 1) if all(inner.few for inner in loops[depth:])]
    for call in program.calls:
        if innermost in call.loops and (call.fits or call.updates_weights or call.plays):
            inner = call.loops[call.loops.index(innermost) + 1 :]
            if call.fits or (call.plays and inner) or any(one.over is LoopOver.DATASET for one in inner):
                return True
        if call.plays and any(loop in call.loops[:-1] for loop in around):
            return True
    return False


def plays_under(program: Program, tape: Call) -> bool:
    """Whether an environment is played under the tape, which no graph can hold."""
    return any(call.plays for call in calls_under_tape(program, tape, tape.loops))


def is_shown_in_a_graph(program: Program, tape: Call) -> bool:
    """Whether the same file does the same under a tape in a graph: then it shows both, one after the other."""
    does = _written_under(program, tape)
    return bool(does) and any(
        _written_under(program, other) == does
        for other in program.calls
        if other.symbol == TAPE
        and other.trace
        and other.region != tape.region
        and program.module_at(other.region) is program.module_at(tape.region)
    )


def _written_under(program: Program, tape: Call) -> set[str]:
    calls = calls_under_tape(program, tape, tape.loops)
    return {"".join(program.written(call.region).split()) for call in calls if call.trace is tape.trace}


def is_eager_on_purpose(program: Program, call: Call) -> bool:
    """Whether the file of a call speaks of running eagerly, as those do that teach it or keep to it."""
    return speaks_of_eager(program.module_at(call.region).text)


def leads_to(program: Program, start: Function | None, goal: Function | None) -> bool:
    """Whether a function calls another one, itself or by those that it calls."""
    seen: set[Function | None] = {start}
    reached = set(seen)
    while reached and goal not in seen:
        calls = (call.callee for call in program.calls if call.function in reached)
        reached = {callee for callee in calls if isinstance(callee, Function) and callee not in seen}
        seen |= reached
    return goal in seen
