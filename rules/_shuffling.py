"""Which stages bring elements into another order."""

from __future__ import annotations

from pipelint.rule import SHUFFLES, Literal, Stage


def shuffles(stage: Stage) -> bool:
    """Whether a stage shuffles what it gets; a buffer of one element has nothing to choose from, so that order stays."""
    buffer = stage.argument("buffer_size")
    return stage.op in SHUFFLES and (buffer is None or buffer.integer != 1 or buffer.is_assumed)


def reshuffles(stage: Stage) -> bool:
    """Whether a stage is known to shuffle what it gets anew in each pass."""
    again = stage.argument("reshuffle_each_iteration")
    return (
        shuffles(stage)
        and not stage.hides_arguments
        and (again is None or again.value in (Literal(None), Literal(True)))
    )


def was_shuffled_before(shuffle: Stage) -> bool:
    """Whether what a stage shuffles has been brought into a random order before, which stays the same in each pass."""
    return any(shuffles(stage) and not reshuffles(stage) for stage in shuffle.upstream())
