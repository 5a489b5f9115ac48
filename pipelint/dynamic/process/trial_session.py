"""One run of many: how fast the pipeline that is tuned is as a whole, and what it gives."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from dataclasses import replace

import numpy as np
import tensorflow as tf

from pipelint.dynamic.capture import stages
from pipelint.dynamic.measure.contents import Contents
from pipelint.dynamic.measure.data_service import run_service
from pipelint.dynamic.measure.measured_run import MeasuredRun
from pipelint.dynamic.measure.read_contents import read_contents
from pipelint.dynamic.measure.whole_rate import whole_rate
from pipelint.dynamic.process.channel import Message, TrialTerms
from pipelint.dynamic.process.consumed_dataset import ConsumedDataset
from pipelint.dynamic.process.measuring_session import MeasuringSession
from pipelint.dynamic.tuning import ServiceRun
from pipelint.knowledge.consumption import Purpose
from pipelint.model.pipeline import Pipeline

_SEED = 1


class TrialSession(MeasuringSession):
    """Measures the speed of the training pipeline, or of the first where nothing trains, and no step."""

    times_steps = False

    def __init__(self, target: str, seconds: float, tell: Callable[[Message], None], terms: TrialTerms) -> None:
        super().__init__(target, seconds, tell)
        self._trial = terms
        self._contents: Contents | None = None
        self._service: ServiceRun | None = None
        self._trains = False
        # Programs that draw their data shall draw the same in each run, so that it can be compared.
        random.seed(_SEED)
        np.random.seed(_SEED)
        tf.random.set_seed(_SEED)

    @property
    def run(self) -> MeasuredRun:
        """What has been measured so far."""
        return replace(super().run, contents=self._contents, service=self._service)

    def measure(self, consumptions: Iterable[ConsumedDataset]) -> None:
        """Measure the first, or one that trains in its place."""
        for consumption in consumptions:
            trains = consumption.consumer.purpose is Purpose.TRAINING
            if not self._measured or (trains and not self._trains):
                self._trains = trains
                super().measure([consumption])

    def try_changes(self) -> None:
        """Nothing else is asked for."""

    def _measured_pipelines(self, consumption: ConsumedDataset, seconds: float) -> list[Pipeline]:
        dataset = consumption.dataset
        if consumption.measure_feed is not None:
            (pipeline,) = super()._measured_pipelines(consumption, seconds)
            dataset = consumption.made_by_keras() if consumption.made_by_keras is not None else None
            if dataset is None:
                return [pipeline]
        captured = stages.describe(dataset)
        if consumption.measure_feed is None:
            pipeline = captured.pipeline.consumed_by(consumption.consumer)
        if self._trial.reads_data:
            self.progress("reading the data", 0.0)
            self._contents = read_contents(dataset, captured)
        rate = whole_rate(
            dataset,
            pipeline,
            consumption.consumer,
            seconds=seconds,
            progress=self.progress,
            epoch_batches=self._epoch_batches,
        )
        if self._trial.workers:
            self._service = run_service(captured, self._trial.workers, seconds=seconds, progress=self.progress)
        return [pipeline.measured({}, rate)]

    @property
    def _epoch_batches(self) -> int | None:
        contents = self._contents
        # What was read before a stage that draws numbers is not in its batches.
        if contents is not None and contents.complete and not contents.random:
            return len(contents.batches)
        return self._trial.epoch_batches
