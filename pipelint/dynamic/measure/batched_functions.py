"""Whether mapped functions give for a whole batch what they give for its elements, and what that takes."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

import numpy as np
import tensorflow as tf

Function = Any
"""A traced function of flat lists of tensors."""
COMPARED = 2
"""How many batches are enough to compare."""
_ROWS = 16
"""As many rows of a batch are compared, the first, among them changed ones: each is a call."""
_ROUNDING = 1e-5
"""Sums over other shapes of the same numbers may be rounded another way."""
_CALLS = 5


def give_the_same(batches: Sequence[Any], on_batches: Sequence[Function], on_elements: Sequence[Function]) -> bool:
    """Whether functions, one behind the other, give for these batches what others give for their rows.

    They are asked once more with rows changed: what is computed of a whole batch depends on its other rows.
    """
    given = [tf.nest.flatten(batch) for batch in batches]
    if not given or not all(isinstance(part, tf.Tensor) for batch in given for part in batch):
        return False
    return all(
        _alike(tensors, on_batches, on_elements)
        for batch in given
        for tensors in (batch, [_with_other_rows(part) for part in batch])
    )


def seconds_of(batch: Any, functions: Sequence[Function]) -> float:
    """What functions, one behind the other, take for a batch."""
    tensors, times = tf.nest.flatten(batch), []
    for _ in range(_CALLS):
        start = time.perf_counter()
        _applied(functions, tensors)
        times.append(time.perf_counter() - start)
    return min(times)


def _alike(batch: list[Any], on_batches: Sequence[Function], on_elements: Sequence[Function]) -> bool:
    whole = _applied(on_batches, batch)
    rows = int(batch[0].shape[0])
    if any(part.shape.rank == 0 or part.shape[0] != rows for part in whole):
        return False
    return all(
        _equal(one.numpy(), part[row].numpy())
        for row in range(min(rows, _ROWS))
        for one, part in zip(_applied(on_elements, [part[row] for part in batch]), whole, strict=True)
    )


def _applied(functions: Sequence[Function], tensors: list[Any]) -> list[Any]:
    for function in functions:
        tensors = list(function(*tensors))
    return tensors


def _with_other_rows(part: Any) -> Any:
    """Every third row another one, of numbers that may be indices too, and every third one zero; texts stay."""
    if not (part.dtype.is_floating or part.dtype.is_integer):
        return part
    rows = part.numpy().copy()
    rows[1::3] = rows[1::3] // 2 if part.dtype.is_integer else rows[1::3] / 2 + 1
    rows[2::3] = 0
    return tf.constant(rows)


def _equal(one: Any, other: Any) -> bool:
    if np.shape(one) != np.shape(other) or np.asarray(one).dtype != np.asarray(other).dtype:
        return False
    if np.asarray(one).dtype.kind in "fc":
        return bool(np.allclose(one, other, rtol=_ROUNDING, atol=_ROUNDING, equal_nan=True))
    return bool(np.array_equal(one, other))
