"""Buffers of shuffles whose size is a product, of which only some factors are known."""

from __future__ import annotations

import re
from math import prod

from pipelint.rule import BATCHING, Argument, Program, Region, Stage

_BATCHES = 100
"""Batches that are a large buffer, whatever the size of one."""
_FACTORS = re.compile(r"[\w.]+(?:\s*\*\s*[\w.]+)+")


def many_times(program: Program, shuffle: Stage, least: int) -> str:
    """The buffer as written, where that is a number times at least so much, or a hundred times a batch; else ""."""
    buffer = shuffle.argument("buffer_size")
    written = _written(program, buffer)
    if buffer is None or buffer.integer is not None or not _FACTORS.fullmatch(written):
        return ""
    factors = re.split(r"\s*\*\s*", written)
    known = prod(int(factor) for factor in factors if factor.replace("_", "").isdecimal())
    batches = (stage.argument("batch_size") for stage in shuffle.downstream() if stage.op in BATCHING)
    of_batches = any(_written(program, batch) in factors for batch in batches)
    return f"`{written}`" if known >= least or (of_batches and known >= _BATCHES) else ""


def _written(program: Program, argument: Argument | None) -> str:
    region = argument.region if argument is not None else None
    return program.written(region) if isinstance(region, Region) else ""
