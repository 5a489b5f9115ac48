"""A dataset that is begun anew for a single element."""

from __future__ import annotations

from dataclasses import dataclass

from pipelint.model.code import Event
from pipelint.model.pipeline import Pipeline


@dataclass(eq=False, kw_only=True)
class FirstElement(Event):
    """A new iterator is made and asked for one element: `next(iter(ds))`, or a loop over `ds.take(1)`."""

    of: object
    """The dataset, as the front end that read the program knows it."""
    pipelines: tuple[Pipeline, ...] = ()
    """The ways in which the dataset may have been built."""
    looped: bool = False
    """Whether a loop takes the element."""
    anew: bool = False
    """Whether each turn of the innermost loop has a dataset of its own."""
