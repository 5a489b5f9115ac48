"""Where the gradients of a tape are applied, and the function that both make a step."""

from __future__ import annotations

from pipelint.rule import Call, Function, LoopOver, Program

from ._work_around_steps import leads_to

BY_HAND = "tensorflow.Variable.assign_sub"
"""How gradients are applied without an optimizer."""


def descends_by_hand(call: Call) -> bool:
    """Whether gradients are applied without an optimizer, on batch after batch: on a few numbers that is a lesson."""
    return call.symbol == BY_HAND and bool(call.loops) and call.loops[-1].over is LoopOver.DATASET


def apply_of(tape: Call, tapes: list[Call], applied: list[Call]) -> Call | None:
    """Where the gradients of this tape are applied: in its own function, else anywhere in the same turn of the loop."""
    same_loop = [apply for apply in applied if apply.loops and tape.loops and apply.loops[-1] is tape.loops[-1]]
    own = next((apply for apply in same_loop if apply.function is tape.function), None)
    others = {other.function for other in tapes}
    return own or next((apply for apply in same_loop if apply.function not in others), None)


def function_of_step(program: Program, tape: Call, apply: Call) -> Function | None:
    """The function that is the step; None where it is written out in its loop."""
    inner = apply.loops[-1]
    outside = [loop for loop in apply.loops if not loop.region.holds(apply.region)]
    if inner.region.holds(apply.region) or inner.region.holds(tape.region):
        # A short loop of its own inside a step (the critic of a GAN) leaves the function the step.
        short = inner.few or (outside and outside[-1].over is LoopOver.DATASET)
        if inner.over is not LoopOver.RANGE or not short or apply.function is not tape.function:
            return None
    if not outside or apply.function is tape.function:
        return apply.function if outside else None
    if leads_to(program, tape.function, apply.function):
        return tape.function
    return apply.function if leads_to(program, apply.function, tape.function) else None
