"""Loops that wait for the device in each turn, or hardly launch steps ahead of it, whoever reads the result of a step."""

from __future__ import annotations

import re

from pipelint.rule import Call, Function, Loop, LoopOver, Program, Region

from ._graphs_held_back import runs_functions_eagerly
from ._large_inputs import largest_side
from ._step_loops import made_of

_LARGE = 512
"""Pixels of a side with which a step computes for so long that the gap before the next one is nothing beside it."""
_WRITES = ("audio", "histogram", "image", "scalar", "tensor", "text", "write")
"""Functions of `tf.summary` that write a value, which leaves the device for that."""


def waits_anyway(program: Program, loop: Loop, steps: list[frozenset[str]]) -> bool:
    """Whether the read of a step's result costs nothing more: others wait as well, or steps are few or long."""
    return (
        reads_other_values(program, loop)
        or _writes_summaries(program, loop)
        or _steps_now_and_then(loop, steps)
        or _tests_results(program, loop)
        or runs_functions_eagerly(program.near(loop.region))
        or largest_side(program.near(loop.region)) >= _LARGE
    )


def _tests_results(program: Program, loop: Loop) -> bool:
    """Whether a test in the same turn, such as one that ends the loop, is of a step's result, or of what is made of it."""
    inside = [event for event in program.events if loop in event.loops]
    tests = loop.at_end.union(*(event.guards - loop.guards for event in inside))
    results = made_of(program, loop, {name for event in inside for name in event.results})
    return any(not results.isdisjoint(re.findall(r"\w+", test)) for test in tests if " is " not in test)


def reads_other_values(program: Program, loop: Loop) -> bool:
    """Whether each turn also takes something else than the step's result out of a tensor, but for its own input.

    A weight or a rate of learning is on the device as well, and read behind what the device has to do before.
    """
    reads = (call for call in program.calls if call.last_name == "numpy" and not isinstance(call.callee, Function))
    return any(
        loop in call.loops
        and call.trace is None
        and not call.on_step_result
        and call.held <= loop.always
        and _root(program, call) not in loop.targets
        for call in reads
    )


def _root(program: Program, call: Call) -> str:
    """The variable that a method is asked of, or of what is in it: `optimizer` in `optimizer.lr.numpy()`."""
    return re.split(r"\W", program.written(Region(call.region.start, call.name.start)), maxsplit=1)[0]


def _writes_summaries(program: Program, loop: Loop) -> bool:
    """Whether each turn writes a summary, itself or in the graph that it runs."""
    own = [call for call in program.calls if loop in call.loops and call.trace is None and call.held <= loop.always]
    if any(map(_is_summary, own)):
        return True
    run = {call.callee for call in own}
    graphs = (trace for trace in program.traces if trace.function in run)
    return any(_is_summary(call) and not call.guards for trace in graphs for call in trace.calls)


def _is_summary(call: Call) -> bool:
    return call.symbol.startswith("tensorflow.summary.") and call.last_name in _WRITES


def _steps_now_and_then(loop: Loop, steps: list[frozenset[str]]) -> bool:
    """Whether a loop that runs through no data takes a step in some turns only, as one does that gathers data first."""
    return loop.over in (LoopOver.RANGE, LoopOver.WHILE) and len(steps) == 1 and not steps[0] <= loop.always
