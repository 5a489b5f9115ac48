"""Reads what a live dataset gives: every example of an epoch, in the order that it has without shuffling."""

from __future__ import annotations

import hashlib
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import numpy as np
import tensorflow as tf

from pipelint.dynamic.capture import error_lines
from pipelint.dynamic.capture.stages import CapturedPipeline
from pipelint.dynamic.measure.contents import Contents, Row
from pipelint.dynamic.measure.serialized_graph import DatasetGraph
from pipelint.knowledge.stages import BATCHING, SHUFFLES, VARIES
from pipelint.model.definitions import Effect
from pipelint.model.pipeline import Pipeline, Stage

_SECONDS = 8.0
"""How long one pass may take; what was read by then is compared."""
_MOST_ROWS = 50_000
_PASSES = 2
"""One to compare, and one to see whether the pipeline gives the same each time."""


def read_contents(dataset: Any, captured: CapturedPipeline) -> Contents:
    """The rows of the dataset, up to the stage that draws random numbers where there is one."""
    pipeline = captured.pipeline
    spec, cardinality = str(dataset.element_spec), int(dataset.cardinality())
    blank = Contents(spec, cardinality, shuffles=tuple(map(_shuffle, _shuffling(pipeline))))
    cut, random = comparable(pipeline)
    if cut is None:
        return _with(blank, random=random, unread=random)
    live = captured.parts[cut][0]
    try:
        graph = DatasetGraph.of(live).without_caches().in_one_order()
        passes = [_read(graph.dataset(), batched=Pipeline(cut).batched) for _ in range(_PASSES)]
    except (tf.errors.OpError, ValueError, TypeError) as error:
        return _with(blank, random=random, unread=error_lines.summary(error))
    first, second = passes
    both = min(len(first.rows), len(second.rows))
    ordered = first.rows[:both] == second.rows[:both]
    same = ordered or (first.complete and second.complete and Counter(first.rows) == Counter(second.rows))
    return _with(
        blank,
        rows=tuple(first.rows),
        batches=tuple(first.sizes),
        complete=first.complete,
        repeats=same,
        reordered=same and not ordered,
        random=random,
        remainder=_remainder(cut),
    )


def _with(contents: Contents, **changed: Any) -> Contents:
    return Contents(**{**vars(contents), **changed})


def comparable(pipeline: Pipeline) -> tuple[Stage | None, str]:
    """The last stage before anything draws random numbers, and what does; None where branches merge behind that."""
    drawing = [(stage, why) for stage in pipeline.stages if (why := _draws(stage))]
    if not drawing:
        return pipeline.end, ""
    first, why = drawing[0]
    if first not in pipeline.trunk or len(first.inputs) != 1:
        return None, why
    return first.inputs[0], why


def _draws(stage: Stage) -> str:
    """Why a stage gives other elements each time, "" where nothing says so."""
    for part in (stage, *stage.inner_stages):
        function = part.function
        for drawn in (function, function.python if function is not None else None):
            if drawn is not None and (cause := drawn.cause(Effect.RANDOM)) is not None and function is not None:
                return f"{function.label} draws random numbers ({cause.name})"
        if part.op in VARIES and part.op != "from_generator":
            return f"`{part.op}` draws random numbers"
    return ""


def _shuffling(pipeline: Pipeline) -> Iterator[Stage]:
    for stage in pipeline.every_stage:
        given = stage.argument("shuffle")
        lists_anew = stage.op == "list_files" and not (given is not None and given.constant is False)
        if stage.op in SHUFFLES or lists_anew:
            yield stage


def _shuffle(stage: Stage) -> str:
    """What tells one shuffle from another: the elements that it holds, and how many of them."""
    before = [part for part in stage.upstream() if not part.is_source]
    work = [part.op for part in before if part.function is not None or part.op in BATCHING]
    return f"{stage.op}({stage.shuffle_buffer}) behind {len(work)}"


def _remainder(end: Stage) -> int:
    """How many rows a batch that is not full has at most, where it is dropped."""
    most = 0
    for stage in (end, *end.upstream()):
        size, drops = stage.argument("batch_size"), stage.argument("drop_remainder")
        if stage.op in BATCHING and drops is not None and drops.constant and size is not None and size.integer:
            most = max(most, size.integer - 1)
    return most


@dataclass
class _Pass:
    rows: list[Row] = field(default_factory=list)
    sizes: list[int] = field(default_factory=list)
    complete: bool = False


def _read(dataset: Any, *, batched: bool) -> _Pass:
    result, end = _Pass(), time.perf_counter() + _SECONDS
    for element in dataset:
        rows = rows_of(element, batched=batched)
        result.rows += rows
        result.sizes.append(len(rows))
        if time.perf_counter() > end or len(result.rows) >= _MOST_ROWS:
            return result
    result.complete = True
    return result


def rows_of(element: Any, *, batched: bool = True) -> list[Row]:
    """The examples of an element, one for each row where it is a batch."""
    parts = [np.asarray(part) for part in tf.nest.flatten(element, expand_composites=True)]
    lengths = {part.shape[0] if part.ndim else -1 for part in parts}
    if not batched or len(lengths) != 1 or -1 in lengths:
        return [_row(parts)]
    return [_row([part[index] for part in parts]) for index in range(*lengths)]


def _row(parts: list[Any]) -> Row:
    every, exact = hashlib.blake2b(digest_size=8), hashlib.blake2b(digest_size=8)
    weighted = scale = 0.0
    for part in parts:
        array = np.asarray(part)
        head = f"{array.dtype.kind}{array.dtype.itemsize if array.dtype.kind != 'O' else ''}{array.shape}".encode()
        data = b"\0".join(array.ravel().tolist()) if array.dtype.kind == "O" else np.ascontiguousarray(array).tobytes()
        every.update(head + data)
        if array.dtype.kind in "fc":
            exact.update(head)
            numbers = np.nan_to_num(np.abs(array) if array.dtype.kind == "c" else array).astype("float64").ravel()
            weighted += float(numbers @ _weights(numbers.size))
            scale += float(np.abs(numbers).sum())
        else:
            exact.update(head + data)
    return Row(int.from_bytes(every.digest(), "big"), int.from_bytes(exact.digest(), "big"), weighted, scale)


@lru_cache(maxsize=16)
def _weights(count: int) -> Any:
    """Another one for each place, so that numbers that have changed places are noticed."""
    return np.cos(np.arange(count, dtype="float64"))
