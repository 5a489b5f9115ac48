"""Whether a rewritten pipeline gives the data of the one as written."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from pipelint.dynamic.measure.contents import Contents, Row
from pipelint.dynamic.tuning import Sameness, Verdict

_ROUNDING = 1e-5
"""Sums over other shapes of the same numbers may be rounded another way."""
_UNKNOWN = -2
"""What TensorFlow says of a number of elements that it cannot tell."""


def compared(before: Contents, after: Contents, *, keeps: bool = False) -> Verdict:
    """How the data of two runs compares; with `keeps`, elements are kept that have to be the same in each epoch."""
    if before.spec != after.spec:
        return _changed(f"its elements are {_short(after.spec)} instead of {_short(before.spec)}")
    if before.cardinality != after.cardinality and _UNKNOWN not in (before.cardinality, after.cardinality):
        return _changed(f"it has {after.cardinality} elements instead of {before.cardinality}")
    if why := before.unread or after.unread:
        return Verdict(Sameness.NOT_COMPARABLE, f"cannot be compared: {why}")
    if not before.repeats:
        why = "two passes over the data as written give different elements"
        # A cache would keep those of the first pass for ever.
        return _changed(f"{why}, and it would keep those of one") if keeps else Verdict(Sameness.NOT_COMPARABLE, why)
    if before.random != after.random and (not before.random or not after.random):
        return _changed(f"what draws random numbers is no longer the same: {before.random or after.random}")
    return _of_rows(before, after)


def _of_rows(before: Contents, after: Contents) -> Verdict:
    ordered, rounded = _same_order(before, after)
    if ordered and before.random:
        told = "everything before it is identical" + (", up to rounding" if rounded else "")
        return Verdict(Sameness.NOT_COMPARABLE, f"cannot be compared: {before.random}; {told}")
    if ordered and not rounded and before.shuffles == after.shuffles and _same_batches(before, after):
        return Verdict(Sameness.IDENTICAL, "" if before.complete else f"as far as {len(before.rows)} examples go")
    if ordered:
        why = "up to rounding" if rounded else "" if before.shuffles == after.shuffles else "shuffled at another place"
        return Verdict(Sameness.SAME_ELEMENTS, why)
    if not (before.complete and after.complete):
        return Verdict(
            Sameness.NOT_COMPARABLE, "cannot be compared: an epoch takes too long to read, and its order may differ"
        )
    missing = Counter(before.rows) - Counter(after.rows)
    added = Counter(after.rows) - Counter(before.rows)
    spare = max(before.remainder, after.remainder)
    if missing.total() > spare or added.total() > spare:
        return _changed(_difference(before, after, missing.total()))
    if before.random:
        why = f"cannot be compared: {before.random}; everything before it is the same, in another order"
        return Verdict(Sameness.NOT_COMPARABLE, why)
    return Verdict(Sameness.SAME_ELEMENTS, "in another order")


def _same_order(before: Contents, after: Contents) -> tuple[bool, bool]:
    """Whether the rows are the same one by one, and whether that holds up to rounding only."""
    both = min(len(before.rows), len(after.rows))
    whole = before.complete and after.complete
    if not both or (whole and abs(len(before.rows) - len(after.rows)) > max(before.remainder, after.remainder)):
        return both == 0 and len(before.rows) == len(after.rows), False
    if before.rows[:both] == after.rows[:both]:
        return True, False
    return all(map(_close, before.rows[:both], after.rows[:both])), True


def _close(one: Row, other: Row) -> bool:
    if one.digest == other.digest:
        return True
    tolerance = _ROUNDING * max(one.scale, other.scale, _ROUNDING)
    near = abs(one.weighted - other.weighted) <= tolerance and abs(one.scale - other.scale) <= tolerance
    return one.exact == other.exact and near


def _same_batches(before: Contents, after: Contents) -> bool:
    both = min(len(before.batches), len(after.batches))
    return before.batches[:both] == after.batches[:both]


def _difference(before: Contents, after: Contents, missing: int) -> str:
    counts = len(before.rows), len(after.rows)
    if counts[0] != counts[1]:
        return f"an epoch has {counts[1]} examples instead of {counts[0]}"
    return f"{missing} of {counts[0]} examples differ, the first is number {_first(before.rows, after.rows)}"


def _first(before: Sequence[Row], after: Sequence[Row]) -> int:
    return next(number for number, (one, other) in enumerate(zip(before, after, strict=True), 1) if one != other)


def _changed(reason: str) -> Verdict:
    return Verdict(Sameness.CHANGED, reason)


def _short(spec: str) -> str:
    return spec if len(spec) < 160 else f"{spec[:157]}..."
