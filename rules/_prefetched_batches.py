"""Which elements a prefetch holds ready."""

from __future__ import annotations

from pipelint.rule import BATCHING, TAKES_APART, Argument, Program, Region, Stage


def batch_before(prefetch: Stage) -> Stage | None:
    """The stage that makes the elements batches, of more than one example."""
    for stage in prefetch.straight_up():
        if stage.op in TAKES_APART:
            return None
        if stage.op in BATCHING or stage.yields_batches:
            size = stage.argument("batch_size")
            return stage if size is None or size.integer != 1 else None
    return None


def name_of(program: Program, argument: Argument) -> str:
    """The variable that is given; "" for a number or another expression."""
    text = program.written(argument.region) if isinstance(argument.region, Region) else ""
    return text if text.replace(".", "").isidentifier() else ""
