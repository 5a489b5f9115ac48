"""Which stages a program has together, where flags decide on each."""

from __future__ import annotations

from pipelint.rule import Stage


def stand_together(first: Stage, second: Stage) -> bool:
    """Whether whoever gets the one gets the other too, rather than a combination of flags that nobody may use."""
    return first.undecided <= second.undecided or second.undecided <= first.undecided
