"""What `fit` is given that is no tf.data dataset: arrays, a generator or a PyDataset."""

from __future__ import annotations

import itertools
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from types import CodeType
from typing import Any

import numpy as np
import tensorflow as tf

from pipelint.dynamic.capture import places
from pipelint.dynamic.capture.places import Origin
from pipelint.dynamic.measure import python_feed
from pipelint.dynamic.measure.measurement import TellProgress
from pipelint.dynamic.measure.python_feed import FeedSource
from pipelint.dynamic.measure.step import StepError, Terms, Turn, held, time_step_on
from pipelint.dynamic.measure.step_runs import by_keras
from pipelint.model.consumer import Consumer
from pipelint.model.cost import Step
from pipelint.model.feed import FeedKind
from pipelint.model.locations import Place
from pipelint.model.pipeline import Pipeline

ENDLESS = 1_000_000
"""Batches or epochs that never end by themselves: the clock ends them."""
_SHORTEST, _LONGEST = 6, 2000
_SETTINGS = ("workers", "use_multiprocessing", "max_queue_size")
"""What a PyDataset of Keras 3 knows of its workers."""
_OURS = frozenset({"self", "x", "verbose", "callbacks", "epochs", "initial_epoch"})
"""Arguments of `fit` that a run of ours sets itself."""


@dataclass
class KerasFeed:
    """What a call of `fit` takes its batches from, and how to have them once more."""

    data: Any
    source: FeedSource
    arguments: dict[str, Any]
    """Those of the user's call that a run of ours keeps."""
    take: Callable[[], Any] | None = None
    """Makes one batch; None where Keras makes them of arrays."""
    dataset: Any = None
    """What Keras makes of arrays."""
    batch: Any = None
    """One that was taken."""
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def measure(self, consumer: Consumer, *, seconds: float, progress: TellProgress) -> Pipeline:
        """What the batches cost by themselves."""
        if self.take is None:
            return python_feed.measure_made_by_keras(
                self.source, self.dataset, consumer, seconds=seconds, progress=progress
            )
        # Without a number of steps `fit` goes on to the end of a generator.
        ends = self.source.kind is FeedKind.GENERATOR and self.arguments.get("steps_per_epoch") is None
        most = {"most": python_feed.FEW} if ends else {}
        return python_feed.measure_calls(self.source, self._taken, consumer, seconds=seconds, progress=progress, **most)

    def made_by_keras(self) -> Any:
        """What Keras 3 makes of a PyDataset with its workers, in order; None of anything else."""
        if self.source.kind is not FeedKind.PYDATASET or not hasattr(self.data, "workers"):
            return None
        from keras.src.trainers.data_adapters.py_dataset_adapter import PyDatasetAdapter

        return PyDatasetAdapter(self.data, shuffle=False).get_tf_dataset()

    def made_of_arrays(self, fit: Callable[..., Any], callback: type, iterated: list[Any]) -> None:
        """Let Keras make its dataset of arrays, which it then iterates."""
        arguments = {**self.arguments, "x": self.data}
        run = by_keras(lambda _, callbacks: fit(**arguments, callbacks=callbacks), callback)
        try:
            run(None, Turn(0.0, most=0))
        except Exception as error:
            raise python_feed.FeedError from error
        if not iterated:
            raise python_feed.FeedError(
                "Keras makes no tf.data dataset of what fit is given, so there is nothing to measure"
            )
        self.dataset = iterated[0]

    def time_step(self, fit: Callable[..., Any], callback: type, terms: Terms) -> Step:
        """What `fit` does with a batch, on one in memory and on the user's data by turns."""
        in_memory, needed = self._in_memory()
        shortest = float("inf")

        def run(data: Any, turn: Turn) -> Turn:
            nonlocal shortest
            if data is in_memory:
                given = {"x": data, "steps_per_epoch": ENDLESS, **needed}
            elif self.source.kind is FeedKind.PYDATASET:
                # Left before its end, an epoch would leave its workers behind.
                count = int(turn.budget / max(shortest, terms.pipeline_seconds, 1e-9))
                turn, given = Turn(float("inf")), {**self.arguments, "x": _shortened(self.data, count)}
            elif self.source.kind is FeedKind.GENERATOR:
                given = {**self.arguments, "x": self._relayed(self._next()), "steps_per_epoch": ENDLESS}
            else:
                given = {**self.arguments, "x": self.data, "epochs": ENDLESS}
            by_keras(lambda _, callbacks: fit(**given, callbacks=callbacks), callback)(data, turn)
            shortest = min([shortest, *turn.spans])
            return turn

        return time_step_on(run, in_memory, None, terms)

    def _in_memory(self) -> tuple[Any, dict[str, Any]]:
        """A batch over and over, with the arguments of `fit` that it needs besides."""
        if self.take is None:
            # Weights are part of what Keras makes.
            return held(self.dataset), {}
        batch = tuple(self.batch) if isinstance(self.batch, list) else self.batch
        dataset = tf.data.Dataset.from_tensors(tf.nest.map_structure(_as_keras_has_it, batch)).repeat()
        return dataset, {"class_weight": self.arguments.get("class_weight")}

    def _taken(self) -> Any:
        assert self.take is not None
        # A thread of the run before may still be at it.
        with self._lock:
            self.batch = self.take()
        return self.batch

    def _next(self) -> Any:
        try:
            return self._taken()
        except StopIteration as error:
            raise StepError("its generator has too few batches") from error

    def _relayed(self, first: Any) -> Iterator[Any]:
        yield first
        while True:
            try:
                batch = self._taken()
            except StopIteration:
                return
            yield batch


def models() -> tuple[type, ...]:
    """The base classes of models, of each Keras that the program has imported."""
    return tuple(keras.Model for keras in _imported())


def pydatasets() -> tuple[type, ...]:
    """The base classes of what gives batches from Python; the second is the name in Keras 2."""
    return tuple(getattr(keras.utils, "PyDataset", None) or keras.utils.Sequence for keras in _imported())


def _imported() -> list[Any]:
    return [sys.modules[name] for name in ("keras", "tf_keras") if name in sys.modules]


def feed_of(arguments: Mapping[str, Any], place: Place | None) -> KerasFeed | None:
    """What a call of `fit` with these arguments takes its batches from; None where it is given nothing."""
    data = arguments.get("x")
    kept = {
        name: value
        for name, value in {**arguments, **arguments.get("kwargs", {})}.items()
        if name not in _OURS and name != "kwargs" and not name.startswith("validation_")
    }
    if data is None:
        return None
    if isinstance(data, pydatasets()):
        return _of_pydataset(data, kept, place)
    if hasattr(data, "__next__"):
        code: CodeType | None = getattr(data, "gi_code", None)
        name = code.co_name if code is not None else type(data).__name__
        code = code or _code(data, "__next__")
        source = FeedSource(FeedKind.GENERATOR, _defined(code) or place, name, runs_ahead=True)
        return KerasFeed(data, source, kept, partial(next, data))
    return KerasFeed(data, FeedSource(FeedKind.ARRAYS, place, runs_ahead=True), kept)


def _of_pydataset(data: Any, kept: dict[str, Any], place: Place | None) -> KerasFeed:
    # Keras 3 keeps them with the data, Keras 2 with the call.
    workers: int = max(1, kept.get("workers") or getattr(data, "workers", None) or 1)
    in_processes = bool(kept.get("use_multiprocessing") or getattr(data, "use_multiprocessing", False))
    source = FeedSource(
        FeedKind.PYDATASET,
        _defined(_code(data, "__getitem__")) or place,
        type(data).__name__,
        workers,
        in_processes,
        runs_ahead=True,
    )
    count = _length(data)
    numbers = itertools.count() if count is None else itertools.cycle(range(count))
    return KerasFeed(data, source, kept, lambda: data[next(numbers)])


def _shortened(data: Any, count: int) -> Any:
    """A PyDataset of so many batches of another one, or a few, made by as many workers."""
    base: Any = next(base for base in pydatasets() if isinstance(data, base))
    whole = _length(data)
    length = min(max(count, _SHORTEST), _LONGEST)

    class Shortened(base):  # type: ignore[misc]
        def __len__(self) -> int:
            return length

        def __getitem__(self, index: int) -> Any:
            return data[index if whole is None else index % whole]

    return Shortened(**{name: getattr(data, name) for name in _SETTINGS if hasattr(data, name)})


def _length(data: Any) -> int | None:
    """How many batches a PyDataset has; None without an end, which it has in Keras 3 alone."""
    count: int | None = data.num_batches if hasattr(data, "num_batches") else len(data)
    return count


def _code(data: Any, method: str) -> CodeType | None:
    return getattr(getattr(type(data), method, None), "__code__", None)


def _defined(code: CodeType | None) -> Place | None:
    """Where the user defined it; None for a library's."""
    if code is None or places.origin(code.co_filename) is not Origin.USER:
        return None
    return places.definition(code)


def _as_keras_has_it(value: Any) -> Any:
    """A tensor, with Keras' own type where it is a number with a fraction."""
    array = value if tf.is_tensor(value) else np.asarray(value)
    return tf.cast(array, tf.keras.backend.floatx()) if array.dtype.name == "float64" else array
