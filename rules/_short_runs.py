"""Training that is written to take so few steps that their dispatch costs little in all."""

from __future__ import annotations

from pipelint.rule import Call, Event, Program

from ._light_models import has_few_layers
from ._loop_turns import turn_at_most

_AT_ONCE = 200
"""Steps whose dispatch is over in a few seconds, with 10 to 20 ms for each (RNNs take more)."""
_AT_ONCE_IF_PLAIN = 2500
"""Steps of a few plain layers that take 12 to 28 seconds, with 5 to 11 ms for each."""
_AT_ONCE_IF_BARE = 10_000
"""Steps of a few operations on variables, without any layer, as lessons have them: 2.5 ms each with SGD, 5 with Adam."""
_SHORT_RUN = 1000
"""Steps whose dispatch takes some 10 seconds, so that a graph saves a little."""


def is_over_at_once(program: Program, step: Call) -> bool:
    """Whether a step is written to be taken so seldom, for what it runs, that a graph saves a few seconds."""
    loops, turning = step.loops, step.repeated_by
    if turn_at_most(program, turning, _AT_ONCE):
        return True
    if turn_at_most(program, turning, _AT_ONCE_IF_PLAIN) and has_few_layers(program, loops):
        return True
    return turn_at_most(program, turning, _AT_ONCE_IF_BARE) and has_few_layers(program, loops, at_all=False)


def is_short_run(program: Program, step: Event) -> bool:
    """Whether a step, or what is done beside it, is written to be taken so seldom that little can be saved."""
    return turn_at_most(program, step.repeated_by, _SHORT_RUN)
