"""What a program runs for the first time, which takes longer than any later time."""

from __future__ import annotations

from collections.abc import Iterator

from pipelint.rule import (
    CLOCKS,
    PYTHON_RANDOM,
    Call,
    ConsumerKind,
    Function,
    Program,
    Region,
    Timing,
    once_a_program,
)

from ._little_data import reads_files

_RUNS = frozenset({"fit", "evaluate", "predict", "__call__", "train_on_batch", "predict_on_batch", "test_on_batch"})
"""Methods that run a model, and build or trace it when they do so for the first time."""
_MAKES_UP = ("tensorflow.random.", *PYTHON_RANDOM)
_WRITES = "tensorflow.io.TFRecordWriter"
_IN_MEMORY = frozenset({"from_tensor_slices", "from_tensors", "range", "random"})
_MANY = 100
"""Rows that are data, and no single input or a few weights."""


def shown_timings(program: Program) -> Iterator[Timing]:
    """The stretches whose time is shown and runs once: what a loop times again and again is warm from its second turn."""
    clocks = {call.region for call in program.calls if call.symbol in CLOCKS and not call.loops}
    return (timing for timing in (program.timings() if clocks else ()) if {timing.start, timing.end} <= clocks)


@once_a_program
def runs_on_made_up_data(program: Program) -> bool:
    """Whether a program draws its data at random, as those do that are there to be timed, and reads none of others."""
    if any(call.symbol == _WRITES for call in program.calls):
        return any(map(_draws_data, program.calls))
    sources = (
        stage for dataset in program.datasets for way in dataset.variants for stage in way.stages if not stage.inputs
    )
    reads = reads_files(program) or any(stage.op not in _IN_MEMORY for stage in sources)
    return not reads and any(map(_draws_data, program.calls))


def _draws_data(call: Call) -> bool:
    """Whether a call draws an array of many rows: the first length of its shape, given as one or one for each axis."""
    if not call.symbol.startswith(_MAKES_UP):
        return False
    shapes = [argument.constant for argument in call.arguments]
    lengths = [shape[0] for shape in shapes if isinstance(shape, tuple) and shape]
    if call.last_name in ("rand", "randn"):
        lengths += shapes[:1]
    return any(isinstance(length, int) and length >= _MANY for length in lengths)


def first_run_in(program: Program, stretch: Region) -> tuple[Region, str] | None:
    """The first thing in a stretch that has not run before, with what it is in words."""
    found = [*_first_calls(program, stretch), *_first_passes(program, stretch)]
    return min(found, key=lambda one: one[0].start) if found else None


def _first_calls(program: Program, stretch: Region) -> Iterator[tuple[Region, str]]:
    ran: set[object] = set()
    for call in program.calls:
        what = _run_by(call)
        if what is None:
            continue
        if what not in ran and stretch.holds(call.region):
            yield call.name, f"the first {_in_words(what)}"
        ran.add(what)


def _in_words(run: Function | str) -> str:
    if isinstance(run, Function):
        return f"call of `{run.name}`"
    return "call of the model" if run == "__call__" else run


def _run_by(call: Call) -> Function | str | None:
    """The graph or the method of models that a call runs."""
    if call.trace is not None:
        return None
    if isinstance(call.callee, Function):
        return call.callee if call.callee.wrapped else None
    return call.last_name if call.symbol.startswith("keras.Model.") and call.last_name in _RUNS else None


def _first_passes(program: Program, stretch: Region) -> Iterator[tuple[Region, str]]:
    """The loops over datasets that nothing has gone through before."""
    for dataset in program.datasets:
        places = [user.region for user in dataset.consumers if isinstance(user.region, Region)]
        loops = [
            user.region
            for user in dataset.consumers
            if user.kind is ConsumerKind.LOOP and isinstance(user.region, Region)
        ]
        for place in loops:
            first = place == min(places, key=lambda one: one.start)
            if stretch.holds(place) and first and not _only_reads(program, place):
                yield place, "the first pass over this dataset"


def _only_reads(program: Program, place: Region) -> bool:
    """Whether a loop hands what it reads to functions of the program that run no model: its time is that of a file."""
    inside = [call for call in program.calls if any(loop.region.holds(place) for loop in call.loops)]
    works = any(_run_by(call) or call.updates_weights or call.under_tape or call.waits for call in inside)
    return not works and any(isinstance(call.callee, Function) for call in inside)
