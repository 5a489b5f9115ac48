"""How often a training goes through its data."""

from __future__ import annotations

from pipelint.model.consumer import Consumer

USUAL = 10
"""Where a loop of the program's own, or `repeat`, decides: most trainings go through their data more often."""


def passes_of(consumer: Consumer) -> int:
    """The number of epochs, as the program says or as is usual."""
    return consumer.passes if consumer.passes is not None else USUAL
