"""The batches of arrays, loaders and slices that training runs on: those that no dataset makes."""

from __future__ import annotations

from collections.abc import Iterator

from pipelint.rule import Argument, Call, Class, FeedKind, Method, Program, Purpose, Symbol

from ._batching import TrainingBatch
from ._few_rows import has_counted_rows
from ._little_data import MANY, only_reads_hundreds, only_reads_thousands
from ._loop_turns import turn_at_most
from ._sliced_arrays import most_rows
from ._step_loops import is_named_step, takes_step


def batches_of_arrays(program: Program) -> Iterator[TrainingBatch]:
    """The batches that loaders give to training, that `fit` makes of arrays, and that loops cut out of them."""
    for feed in program.feeds:
        if feed.kind is FeedKind.LOADER and feed.consumer.purpose is Purpose.TRAINING and feed.loader is not None:
            data = next(feed.loader.arguments, None)
            if not _are_hundreds(program, feed.loader, data):
                yield from _argument(program, feed.loader, data)
    for call in program.calls:
        match call.callee:
            case Method(owner=None | Class() | Symbol(name="keras.Model"), name="fit"):
                data = call.argument("x") or next(iter(call.positional), None)
                labels = call.argument("y") or next(iter(call.positional[1:]), None)
                if not program.takes_dataset(call) and not _are_hundreds(program, call, data, labels):
                    yield from _argument(program, call, data)
            case _ if call.loops:
                yield from _slices(program, call)


def _are_hundreds(program: Program, call: Call, *arrays: Argument | None) -> bool:
    """Whether one of the arrays that a call is given together is known to have less than a thousand rows."""
    rows = [most for array in arrays if (most := most_rows(array)) is not None]
    return min(rows) < MANY if rows else only_reads_hundreds(program.near(call.region))


def _argument(program: Program, call: Call, data: Argument | None) -> Iterator[TrainingBatch]:
    size = call.argument("batch_size")
    if size is not None and (size.integer or 0) > 0:
        proven, counted = not size.is_assumed, has_counted_rows(program, data)
        yield TrainingBatch(call.name, size.integer or 0, "batches", proven, counted, size, data=data)


def _slices(program: Program, call: Call) -> Iterator[TrainingBatch]:
    data = max(call.arguments, key=lambda argument: argument.rows or 0, default=None)
    rows = data.rows or 0 if data is not None else 0
    # Fewer than a thousand examples are few, as for datasets, however often a loop around runs through them.
    if rows and not turn_at_most(program, call.loops[-1:], (MANY - 1) // rows):
        proven = takes_step(program, call)
        if proven or is_named_step(call):
            written = rows * (call.loops[-1].turns or 0) >= MANY
            counted = written or only_reads_thousands(program.near(call.region))
            yield TrainingBatch(call.name, rows, "slices", proven, counted, trains=proven, data=data)
