"""Work that makes very many objects, most of which live until it is done."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

_ALLOCATIONS = 2_000_000
"""After how many new objects Python looks for garbage: so many take some 200 MB. By itself it does after 700, and walks
trees and values each time: that took a third of the time, and found next to nothing."""


@contextmanager
def seldom_collected() -> Iterator[None]:
    """Let Python look for garbage less often."""
    usual = gc.get_threshold()
    if not 0 < usual[0] < _ALLOCATIONS:
        yield
        return
    gc.set_threshold(_ALLOCATIONS, *usual[1:])
    try:
        yield
    finally:
        gc.set_threshold(*usual)


def collected_when_asked() -> None:
    """Let Python look for garbage less often for good, in a process that asks for it when nobody waits."""
    gc.set_threshold(_ALLOCATIONS, *gc.get_threshold()[1:])


def collect() -> None:
    """Collect all garbage, and look no more at what outlives it."""
    gc.unfreeze()
    gc.collect()
    gc.freeze()


def let_go() -> None:
    """Collect what a piece of work has left behind, and look no more at what outlives it until `all_done`.

    That are texts, results and trees, which hold no circles; walking them again and again took a tenth of the time.
    """
    gc.collect(1)
    gc.freeze()


def all_done() -> None:
    """Look at everything again."""
    gc.unfreeze()
