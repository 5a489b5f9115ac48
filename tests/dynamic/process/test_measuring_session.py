"""What a session makes of a measured pipeline and the step behind it."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

pytest.importorskip("tensorflow", reason="a session measures on TensorFlow")

from pipelint.dynamic.capture import stages
from pipelint.dynamic.measure import measurement
from pipelint.dynamic.measure.step import Terms
from pipelint.dynamic.process.channel import Message, Progress
from pipelint.dynamic.process.consumed_dataset import ConsumedDataset
from pipelint.dynamic.process.measuring_session import MeasuringSession
from pipelint.knowledge.consumption import ConsumerKind, Purpose
from pipelint.model.consumer import Consumer
from pipelint.model.cost import Measurement, Step
from pipelint.model.locations import NOWHERE, Place
from pipelint.model.pipeline import Pipeline, Stage

FIT = Consumer(ConsumerKind.FIT, Place("train.py", 9), Purpose.TRAINING)


def session(monkeypatch: pytest.MonkeyPatch, batches_per_second: float, told: list[Message]) -> MeasuringSession:
    """A session in which every pipeline is this fast."""

    def measure(*_: object, progress: Any, **__: object) -> list[Pipeline]:
        progress("measuring each stage", 0.5)
        known = Measurement(batches_per_second=batches_per_second)
        return [Pipeline(Stage("range", NOWHERE, NOWHERE), measurement=known).consumed_by(FIT)]

    found = SimpleNamespace(pipeline=Pipeline(Stage("range", NOWHERE, NOWHERE)))
    monkeypatch.setattr(stages, "describe", lambda dataset: found)
    monkeypatch.setattr(measurement, "measure", measure)
    return MeasuringSession("train.py", 1.0, told.append)


def test_a_step_is_told_what_its_input_can_cost_at_most(monkeypatch: pytest.MonkeyPatch) -> None:
    terms: list[Terms] = []

    def timed(given: Terms) -> Step:
        terms.append(given)
        return Step(seconds=0.01, period_seconds=0.04)

    measuring_session = session(monkeypatch, 25.0, [])
    measuring_session.measure([ConsumedDataset(object(), FIT, timed)])
    (pipeline,) = measuring_session.run.pipelines
    assert pipeline.measurement is not None
    assert pipeline.measurement.step == Step(0.01, 0.04)
    assert [given.pipeline_seconds for given in terms] == pytest.approx([1 / 25])


def test_a_pipeline_by_itself_is_no_slower_than_what_a_step_got_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    measuring_session = session(monkeypatch, 25.0, [])
    step = Step(seconds=0.01, period_seconds=0.02, spread=0.1)
    measuring_session.measure([ConsumedDataset(object(), FIT, lambda terms: step)])
    (pipeline,) = measuring_session.run.pipelines
    assert pipeline.measurement is not None
    assert (pipeline.measurement.batches_per_second, pipeline.measurement.spread) == (50.0, 0.1)


def test_progress_names_the_place_that_is_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[Message] = []
    session(monkeypatch, 1.0, told).measure([ConsumedDataset(object(), FIT)])
    texts = [one.text for one in told if isinstance(one, Progress)]
    assert texts == ["found range for train.py:9", "measuring each stage for train.py:9"]
