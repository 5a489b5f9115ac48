"""Datasets of arrays that a function draws at random and goes through once, so that no pass can be like another."""

from __future__ import annotations

from pipelint.rule import REORDERS, ConsumerKind, Function, Pipeline, Program, Region

from ._in_memory import comes_from_memory


def is_drawn_for_one_pass(program: Program, pipeline: Pipeline) -> bool:
    """Whether one function draws the arrays, makes the dataset and goes through it in a single loop of one pass."""
    consumers = pipeline.consumers
    place = consumers[0].region if len(consumers) == 1 and consumers[0].kind is ConsumerKind.LOOP else None
    if not isinstance(place, Region) or not comes_from_memory(pipeline) or not _is_one_pass(pipeline):
        return False
    around = {loop.region for event in program.events for loop in event.loops if loop.region.holds(place)}
    here = {event.function for event in program.events if event.loops and event.loops[-1].region in around}
    sources = [call for stage in pipeline.stages if stage.is_source for call in program.calls_at.get(stage.call, ())]
    functions = {call.function for call in sources}
    return len(around) == 1 and functions <= here and all(_draws(program, one) for one in functions)


def _is_one_pass(pipeline: Pipeline) -> bool:
    counts = [stage.argument("count") for stage in pipeline.stages if stage.op == "repeat"]
    return all(count is not None and count.integer == 1 for count in counts)


def _draws(program: Program, function: Function | None) -> bool:
    """Whether a function brings something into a random order, or what it calls does."""
    reached = dict.fromkeys([function] if function is not None else [])
    pending = list(reached)
    for one in pending:
        calls = [call for call in program.calls if call.function is one]
        if any(call.last_name in REORDERS for call in calls):
            return True
        called = {call.callee: None for call in calls if isinstance(call.callee, Function)}
        pending += [other for other in called if other not in reached]
        reached |= dict.fromkeys(pending)
    return False
