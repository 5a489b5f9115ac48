"""Datasets that are run through only to be counted, though the number of their elements is known."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from pipelint.rule import COUNTED_SOURCES, KEEPS_COUNT, Call, ConsumerKind, Pipeline, Program, Region, Stage

from ._in_memory import only_gathers
from ._little_data import MANY, elements_of

_COUNTS_EACH = re.compile(r"[(\[]?\s*(?:1|0|_)\s+for\s+\w+\s+in\s+(?P<over>.+?)\s*[)\]]?", re.DOTALL)
"""`1 for _ in ds`, in brackets or without, and `[0 for _ in ds]`."""


_NOTHING = re.compile(r"(?:[\w.]+\(\s*)?0(?:\s*,\s*(?:dtype\s*=\s*)?[\w.]+)?\s*\)?")
"""`0`, `tf.constant(0)`, `np.int64(0)`, `tf.cast(0, tf.int64)`."""
_ADDS_ONE = re.compile(r"lambda\s+(?P<sum>\w+)\s*,\s*\*?\w+\s*:\s*(?:(?P=sum)\s*\+\s*1|1\s*\+\s*(?P=sum))")
"""`lambda n, _: n + 1`."""


class Counting(NamedTuple):
    """A call that counts the elements of a dataset by making them."""

    call: Call
    dataset: Region
    """Where the dataset is written."""
    number: Call | None
    """The call that gives the count as a number of Python: the same one, or `.numpy()` of the tensor that it gives."""


def iterated_counts(program: Program) -> Iterator[Counting]:
    """All such calls of datasets that are known to tell their number."""
    counted = dict(_collected(program))
    for call in {call.region: call for call in program.calls}.values():
        place = _dataset_counted_by(program, call)
        is_test = call.function is not None and call.function.is_test
        if place is not None and not is_test:
            ways = counted.get(call.region if call.last_name == "reduce" else place, ())
            if ways and all(map(_has_known_count, ways)):
                yield Counting(call, place, _number(program, call))


def _number(program: Program, call: Call) -> Call | None:
    if call.last_name != "reduce":
        return call
    later = (other for other in program.calls if other.region.start == call.region.start and other.last_name == "numpy")
    return next(
        (other for other in later if program.written(Region(call.region.end, other.region.end)) == ".numpy()"), None
    )


def _collected(program: Program) -> Iterator[tuple[Region, tuple[Pipeline, ...]]]:
    for dataset in program.datasets:
        for user in dataset.consumers:
            gathers = user.kind is ConsumerKind.COLLECTION and not user.by_iterator
            if gathers and dataset.complete and isinstance(user.region, Region):
                yield user.region, dataset.variants


def _dataset_counted_by(program: Program, call: Call) -> Region | None:
    """Where the dataset stands whose elements a call counts: in a `list`, or in a comprehension that ignores them."""
    if call.symbol == "tensorflow.data.Dataset.reduce":
        return _dataset_reduced_by(program, call)
    if call.symbol not in ("builtins.len", "builtins.sum"):
        return None
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


def _dataset_reduced_by(program: Program, call: Call) -> Region | None:
    """The same for `ds.reduce(0, lambda n, _: n + 1)` outside of graphs, where a dataset has no length."""
    given = [program.written(part.region) for part in call.arguments if isinstance(part.region, Region)]
    starts, adds = (*given, "", "")[:2]
    if len(given) != 2 or call.trace is not None or not (_NOTHING.fullmatch(starts) and _ADDS_ONE.fullmatch(adds)):
        return None
    receiver = program.written(Region(call.region.start, call.name.start)).rstrip().removesuffix(".").rstrip()
    return Region(call.region.start, call.region.start + len(receiver))


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
