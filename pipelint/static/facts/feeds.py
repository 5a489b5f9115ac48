"""What `fit` and its like are given that is no tf.data dataset: arrays, generators, PyDatasets, loaders."""

from __future__ import annotations

from collections.abc import Iterator

from pipelint.knowledge.keras import PYDATASETS
from pipelint.model.code import Call
from pipelint.model.consumer import Consumer
from pipelint.model.feed import Feed, FeedKind
from pipelint.model.values import Array, Value
from pipelint.static.abstract.machine import Machine
from pipelint.static.abstract.values import ClassValue, Foreign, Generating, Instance, Loading, Sequence, alternatives


def note(machine: Machine, value: Value, consumer: Consumer) -> None:
    """Remember what a consumer takes, where it is known not to be a dataset."""
    last = machine.events[-1] if machine.events else None
    call = last if isinstance(last, Call) and last.region == consumer.region else None
    for _, option in alternatives(value):
        feed = _feed(option, consumer)
        if feed is not None:
            feed.call = call
            machine.feeds.append(feed)


def mark_generators(machine: Machine) -> None:
    """Tell what a generator takes for Keras that nothing there waits: Keras asks the generator ahead of its steps."""
    generators = {feed.function for feed in machine.feeds if feed.kind is FeedKind.GENERATOR} - {None}
    for consumption in machine.consumptions:
        if consumption.function in generators:
            consumption.consumer.may_run_a_model = False


def _feed(value: Value, consumer: Consumer) -> Feed | None:
    match value:
        case Generating(function=function):
            return Feed(FeedKind.GENERATOR, consumer, function=function)
        case Loading(call=loader):
            return Feed(FeedKind.LOADER, consumer, loader=loader)
        case Instance(cls=ClassValue(identity=cls)):
            is_one = any(base.name in PYDATASETS for base in cls.library_bases())
            return Feed(FeedKind.PYDATASET, consumer, cls=cls) if is_one else None
    arrays = tuple(_arrays(value))
    return Feed(FeedKind.ARRAYS, consumer, arrays=arrays) if arrays else None


def _arrays(value: Value) -> Iterator[Array]:
    match value:
        case Foreign(library="numpy", array=array):
            yield array or Array()
        case Sequence(items=items):
            for item in items:
                yield from _arrays(item)
