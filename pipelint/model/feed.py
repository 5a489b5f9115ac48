"""What a consumer takes that is no tf.data dataset."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from pipelint.model.code import Call
from pipelint.model.consumer import Consumer
from pipelint.model.definitions import Class, Function
from pipelint.model.pipeline import Stage
from pipelint.model.values import Array


class FeedKind(Enum):
    """In what form the elements come."""

    ARRAYS = "arrays"
    GENERATOR = "generator"
    PYDATASET = "PyDataset"
    LOADER = "loader"


@dataclass(eq=False)
class Feed:
    """Arrays, a Python generator, a PyDataset or a loader of Keras that `fit`, `evaluate` or `predict` is given."""

    kind: FeedKind
    consumer: Consumer
    call: Call | None = None
    """The call that consumes it."""
    arrays: tuple[Array, ...] = ()
    function: Function | None = None
    """The generator function of the program, where it is known."""
    cls: Class | None = None
    """The program's subclass of PyDataset or Sequence, where it is known."""
    loader: Call | None = None
    """The call that makes the loader."""
    stage: Stage | None = None
    """What it was measured to cost, in a program that ran."""
