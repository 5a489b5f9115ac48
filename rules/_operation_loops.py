"""Loops that do nothing but single operations on tensors."""

from __future__ import annotations

from collections.abc import Iterator

from pipelint.rule import OWN_METHODS, Call, Loop, LoopOver, Method, Program

from ._timed_loops import is_compared

_PARTS_OF_LOOPS = frozenset(
    f"builtins.{name}" for name in ("abs", "float", "int", "len", "max", "min", "print", "range")
)
_OTHER_THINGS = (
    "tensorflow.GradientTape", "tensorflow.config.", "tensorflow.data.", "tensorflow.debugging.", "tensorflow.distribute.",
    "tensorflow.function", "tensorflow.io.", "tensorflow.lite.", "tensorflow.print", "tensorflow.profiler.",
    "tensorflow.py_function", "tensorflow.numpy_function", "tensorflow.saved_model.", "tensorflow.summary.",
    "tensorflow.train.", "tensorflow.types.",
)  # fmt: skip
"""How names of TensorFlow begin that stand for more than one operation on tensors, or for none."""
_OFTEN = 100_000
"""Turns from which the dispatch of some operations, 10 to 50 microseconds each, takes ten seconds and more in all."""


def operation_loops(program: Program) -> Iterator[Loop]:
    """The loops over a long range whose turns each do operations on tensors and nothing else."""
    inside: dict[Loop, list[Call]] = {}
    outer: set[Loop] = set()
    for event in program.events:
        outer.update(event.loops[:-1])
        for loop in event.loops[-1:]:
            calls = inside.setdefault(loop, [])
            calls += [event] if isinstance(event, Call) else []
    for loop, calls in inside.items():
        if loop in outer or loop.over is not LoopOver.RANGE or (loop.at_most or 0) < _OFTEN:
            continue
        operations = [call for call in calls if _is_operation(call)]
        alone = all(call in operations or _is_part_of_a_loop(call) for call in calls)
        each_turn = loop.operates or any(call.held <= loop.always for call in operations)
        if alone and each_turn and not _is_shown_in_a_graph(program, loop):
            yield loop


def _is_shown_in_a_graph(program: Program, loop: Loop) -> bool:
    """Whether the same file also loops in a graph, or times the same in one: it shows both."""
    here = program.module_at(loop.region)
    graphs = (trace for trace in program.traces if program.module_at(trace.region) is here)
    loops_there = any(call.symbol == "tensorflow.range" for trace in graphs for call in trace.calls)
    return loops_there or is_compared(program, loop, _operates)


def _is_operation(call: Call) -> bool:
    return call.trace is None and _operates(call)


def _operates(call: Call) -> bool:
    reads = call.last_name == "numpy"
    return call.library == "tensorflow" and not reads and not call.symbol.startswith(_OTHER_THINGS)


def _is_part_of_a_loop(call: Call) -> bool:
    return call.symbol in _PARTS_OF_LOOPS or (isinstance(call.callee, Method) and call.last_name in OWN_METHODS)
