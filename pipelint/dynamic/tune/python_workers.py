"""Workers for a PyDataset that gives `fit` its batches: threads, and processes, which share no lock of Python."""

from __future__ import annotations

from collections.abc import Iterator

from pipelint.dynamic.predict.rate_model import RateModel
from pipelint.dynamic.predict.what_if import change_without_repair
from pipelint.dynamic.tune.candidates import Candidate
from pipelint.knowledge.keras import WORKERS
from pipelint.model.code import Call
from pipelint.model.feed import Feed, FeedKind
from pipelint.model.grades import Safety
from pipelint.model.program import Program
from pipelint.model.repair import AddArguments, Together
from pipelint.model.values import Literal


def worker_candidates(model: RateModel, program: Program, feed: Feed) -> Iterator[Candidate]:
    """Several workers for the PyDataset that was measured; of two with one title the first that the source can take."""
    stage = model.pipeline.end
    if feed.kind is not FeedKind.PYDATASET or not stage.omits("workers"):
        return
    in_processes = change_without_repair(model, stage).plan
    name = stage.function.name if stage.function is not None else "the PyDataset"
    for calls in _told(model, program, feed):
        for what, plan, more in (
            ("threads", model.current.with_threads(stage, float(WORKERS)), {}),
            ("processes", in_processes, {"use_multiprocessing": True}),
        ):
            values = tuple((key, Literal(value)) for key, value in {"workers": WORKERS, **more}.items())
            added = tuple(AddArguments(call, values) for call in calls)
            title = f"{WORKERS} {what} make the batches of {name}"
            gain = model.speedup(plan) if plan is not None else None
            yield Candidate("PIPE502", title, Safety.UNSAFE, Together(added), stage.place, gain, "workers")


def _told(model: RateModel, program: Program, feed: Feed) -> Iterator[list[Call]]:
    """The calls that can say how many workers there are: `fit` in Keras 2, else that of the base, or of the class."""
    if model.pipeline.consumers[0].takes_workers:
        if feed.call is not None:
            yield [feed.call]
        return
    in_class = [call for call in program.calls if call.function is not None and call.function.owner is feed.cls]
    if base := [call for call in in_class if call.last_name == "__init__"]:
        yield base
    if made := [call for call in program.calls if call.callee is feed.cls]:
        yield made
