"""What a session makes of a measured pipeline and the step behind it."""

from __future__ import annotations

from typing import Any

import pytest

pytest.importorskip("tensorflow", reason="a session measures on TensorFlow")

from pipelint.dynamic.capture import stages
from pipelint.dynamic.measure import measurement as measuring
from pipelint.dynamic.process.channel import Message, Progress
from pipelint.dynamic.process.session import Consumption, Session
from pipelint.dynamic.recording import RecordedConsumer, RecordedPipeline, RecordedStep
from pipelint.model.locations import Place

FIT = RecordedConsumer("fit", "training", Place("train.py", 9))


def session(monkeypatch: pytest.MonkeyPatch, batches_per_second: float, told: list[Message]) -> Session:
    """A session in which every pipeline is this fast."""

    def measure(*_: object, progress: Any, **__: object) -> list[RecordedPipeline]:
        progress("measuring each stage", 0.5)
        return [RecordedPipeline(FIT, (), batches_per_second=batches_per_second)]

    monkeypatch.setattr(stages, "describe", lambda dataset: None)
    monkeypatch.setattr(measuring, "measure", measure)
    return Session("train.py", 1.0, told.append)


@pytest.mark.parametrize(("batches_per_second", "waiting"), [(25.0, 0.75), (500.0, 0.1)])
def test_behind_a_pipeline_that_is_too_slow_a_step_waits_for_all_that_it_takes_longer(
    monkeypatch: pytest.MonkeyPatch, batches_per_second: float, waiting: float
) -> None:
    measuring_session = session(monkeypatch, batches_per_second, [])
    step = RecordedStep(seconds=0.01, period_seconds=0.04, waiting_share=0.1)
    measuring_session.measure([Consumption(object(), FIT, lambda seconds: step)])
    (pipeline,) = measuring_session.recording.pipelines
    assert pipeline.step is not None
    assert pipeline.step.waiting_share == pytest.approx(waiting)


def test_progress_names_the_place_that_is_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[Message] = []
    session(monkeypatch, 1.0, told).measure([Consumption(object(), FIT)])
    assert [one.text for one in told if isinstance(one, Progress)] == ["measuring each stage for train.py:9"]
