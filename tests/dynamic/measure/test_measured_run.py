"""What a run says of a step that nobody waited for."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pipelint.dynamic.measure.measured_run import MeasuredRun
from pipelint.model.cost import Measurement
from tests.profiles import MEASURED, pipeline, stage

GIVEN_UP = "two took too long (120 s)"


def _measurement(rate: float) -> Measurement:
    made = pipeline(stage("range", 3), measured=replace(MEASURED, batches_per_second=rate, step=None)).pipeline
    MeasuredRun("train.py", pipelines=(made,)).with_slow_step(60.0, GIVEN_UP)
    assert made.measurement is not None
    return made.measurement


def test_a_step_that_was_given_up_takes_at_least_half_of_that_and_waits_for_nothing_fast() -> None:
    known = _measurement(0.5)
    assert known.step is not None
    assert known.step.seconds == pytest.approx(60.0)
    assert known.step.waiting_share == 0.0
    assert known.note == f"{GIVEN_UP}: a step takes at least half of that"


def test_where_the_pipeline_is_slow_too_nothing_is_said_of_the_step() -> None:
    known = _measurement(0.1)
    assert known.step is None
    assert GIVEN_UP in known.note
