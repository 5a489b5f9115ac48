"""A dataset, or what a program uses instead of one, as hooks find it consumed and a session measures it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from pipelint.dynamic.measure.step import Terms
from pipelint.model.consumer import Consumer
from pipelint.model.cost import Step
from pipelint.model.pipeline import Pipeline


@dataclass(frozen=True)
class ConsumedDataset:
    """A dataset with what takes its elements."""

    dataset: Any
    consumer: Consumer
    step: Callable[[Terms], Step] | None = None
    """Times what the consumer does with a batch."""
    measure_feed: Callable[..., Pipeline] | None = None
    """Measures what is no tf.data dataset, given its consumer, `seconds` and `progress`."""
    made_by_keras: Callable[[], Any] | None = None
    """The tf.data dataset that Keras makes of such a thing, with its workers."""
