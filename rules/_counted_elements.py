"""Datasets that are run through only to be counted, though the number of their elements is known."""

from __future__ import annotations

import re
from collections.abc import Iterator

from pipelint.rule import COUNTED_SOURCES, KEEPS_COUNT, Call, ConsumerKind, Pipeline, Program, Region, Stage

from ._in_memory import only_gathers
from ._little_data import MANY, elements_of

_COUNTS_EACH = re.compile(r"[(\[]?\s*(?:1|0|_)\s+for\s+\w+\s+in\s+(?P<over>.+?)\s*[)\]]?", re.DOTALL)
"""`1 for _ in ds`, in brackets or without, and `[0 for _ in ds]`."""


def iterated_counts(program: Program) -> Iterator[tuple[Call, Region]]:
    """The calls that count the elements of a dataset by making them, with the place where the dataset is written."""
    counted = dict(_collected(program))
    for call in {call.region: call for call in program.calls}.values():
        is_test = call.function is not None and call.function.is_test
        asks = call.symbol in ("builtins.len", "builtins.sum") and not is_test
        place = _dataset_counted_by(program, call) if asks else None
        if place is not None and place in counted and all(map(_has_known_count, counted[place])):
            yield call, place


def _collected(program: Program) -> Iterator[tuple[Region, tuple[Pipeline, ...]]]:
    for dataset in program.datasets:
        for user in dataset.consumers:
            gathers = user.kind is ConsumerKind.COLLECTION and not user.by_iterator
            if gathers and dataset.complete and isinstance(user.region, Region):
                yield user.region, dataset.variants


def _dataset_counted_by(program: Program, call: Call) -> Region | None:
    """Where the dataset stands whose elements a call counts: in a `list`, or in a comprehension that ignores them."""
    given = call.positional[0].region if len(call.positional) == 1 and not call.keywords else None
    if not isinstance(given, Region):
        return None
    for made in program.calls_at.get(given, ()):
        if call.symbol == "builtins.len" and made.symbol in ("builtins.list", "builtins.tuple") and made.positional:
            return Region.of(made.positional[0].region)
    written = _COUNTS_EACH.fullmatch(program.written(given))
    is_sum_of_ones = written is not None and written[0].lstrip("([ \n").startswith("1")
    if written is None or (call.symbol == "builtins.sum" and not is_sum_of_ones):
        return None
    return Region(given.start + written.start("over"), given.start + written.end("over"))


def _has_known_count(pipeline: Pipeline) -> bool:
    """Whether TensorFlow knows how many elements come out, and they are no handful that is there already."""
    elements = elements_of(pipeline)
    little = elements is not None and elements < MANY and only_gathers(pipeline)
    return not little and all(map(_knows_count, pipeline.stages))


def _knows_count(stage: Stage) -> bool:
    if not stage.inputs:
        return stage.is_source and stage.op in COUNTED_SOURCES
    count = stage.argument("count")
    return stage.op in KEEPS_COUNT or (stage.op == "repeat" and count is not None and (count.integer or -1) > 0)
