"""Whether arrays are known to have so few rows that speed is of no account, or so many that it matters."""

from __future__ import annotations

from pipelint.rule import Argument, Call, Event, Program

from ._little_data import FEW, MANY, are_few, only_reads_thousands
from ._passes import passes_of
from ._sliced_arrays import most_rows


def has_few_rows(fit: Call, data: Argument | None) -> bool:
    """Whether an array that is given to `fit` is known to have few rows, or few for all epochs."""
    most = most_rows(data)
    return most is not None and (most <= FEW or are_few(most, passes_of(fit)))


def fits_few_rows(program: Program, event: Event) -> bool:
    """Whether all models behind an event are fitted to few rows; behind `compile` as far as to the next one."""
    later = [call for call in program.calls if call.region.start > event.region.end]
    compiles = isinstance(event, Call) and event.last_name == "compile"
    ends = min((call.region.start for call in later if compiles and call.last_name == "compile"), default=None)
    fits = [call for call in later if call.fits and (ends is None or call.region.start < ends)]
    return bool(fits) and all(has_few_rows(fit, next(fit.arguments, None)) for fit in fits)


def has_counted_rows(program: Program, data: Argument | None) -> bool:
    """Whether the many rows of an array are no guess."""
    most = most_rows(data)
    if most is not None:
        return most >= MANY
    return only_reads_thousands(program.near(data.region) if data is not None else program)
