"""One run that measures: the pipelines so far, and what is told of them on the way."""

from __future__ import annotations

import contextlib
import re
import sys
import time
import traceback
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any

import tensorflow as tf

from pipelint.display.terminal import one_line
from pipelint.dynamic.capture import error_lines, stages
from pipelint.dynamic.measure import measurement
from pipelint.dynamic.measure.measured_run import MeasuredRun
from pipelint.dynamic.measure.processors_and_memory import cores, machine_bytes
from pipelint.dynamic.measure.python_feed import FeedError
from pipelint.dynamic.measure.step import Terms
from pipelint.dynamic.predict import trials
from pipelint.dynamic.process.channel import Message, Progress, Result
from pipelint.dynamic.process.consumed_dataset import ConsumedDataset
from pipelint.dynamic.profile import INPUT_BOUND
from pipelint.knowledge.consumption import Purpose
from pipelint.knowledge.stages import FEEDS
from pipelint.model.consumer import Consumer
from pipelint.model.cost import Measurement, Step
from pipelint.model.locations import Place
from pipelint.model.pipeline import Pipeline

_TRIALS_SHARE = 0.25
"""The part of a pipeline's time that trying changes of all of them may take besides."""
_STEP_SHARE = 0.45
"""The part of a pipeline's time that its step may take besides."""
_BESIDE_TRAINING = 0.4
"""The part of that time for what is no training, where a training was measured: it decides little."""
_NAMED = 8
"""Stages that a line has room for."""
_PLACED = re.compile(r"\S+:\d+: ")


@dataclass(frozen=True)
class _MeasuredDataset:
    dataset: Any
    pipelines: list[Pipeline]
    seconds: float
    """How long it might take."""


class MeasuringSession:
    """Measures datasets one after the other; stops at the first that fails."""

    times_steps = True
    """Whether it matters what a consumer does with a batch."""

    def __init__(self, target: str, seconds: float, tell: Callable[[Message], None]) -> None:
        self._target = target
        self._seconds = seconds
        self._tell = tell
        self._measured: list[_MeasuredDataset] = []
        self._for = ""
        self.error: str | None = None

    @property
    def run(self) -> MeasuredRun:
        """What has been measured so far, training first."""
        pipelines = [pipeline for measured in self._measured for pipeline in measured.pipelines]
        pipelines.sort(key=lambda pipeline: pipeline.consumers[0].purpose is not Purpose.TRAINING)
        return MeasuredRun(self._target, tf.__version__, cores(), machine_bytes(), tuple(pipelines), self.error)

    @property
    def step_seconds(self) -> float:
        """How long the timing of one step may take."""
        return self._seconds * _STEP_SHARE

    def terms(self, dataset: Any) -> Terms:
        """How long the timing of the step behind a measured dataset may take, and what that can cost at most."""
        measured = next(measured for measured in self._measured if measured.dataset is dataset)
        *_, last = measured.pipelines
        known = _known(last)
        seconds = (1 + known.spread) / known.batches_per_second if known.batches_per_second else float("inf")
        end, start = last.end.cardinality, known.start
        return Terms(
            measured.seconds * _STEP_SHARE,
            seconds,
            epoch_batches=end if end is not None and end > 0 else None,
            start_seconds=(start.later_seconds or start.seconds) if start is not None else 0.0,
            stand_in=measurement.stand_in(dataset, last, measured.seconds),
        )

    def measure(self, consumptions: Iterable[ConsumedDataset]) -> None:
        """Measure the datasets that have not been measured yet, each with its step."""
        for consumption in consumptions:
            known = any(consumption.dataset is measured.dataset for measured in self._measured)
            if self.error is None and not known and not self._repeats(consumption):
                self._measure(consumption)

    def add_step(self, dataset: Any, step: Step | None, note: str = "") -> None:
        """Give a measured dataset the time of its step, or say why there is none."""
        measured = next(measured for measured in self._measured if measured.dataset is dataset)
        # The step ran behind the epochs that were measured, when caches were full.
        *earlier, last = measured.pipelines
        for pipeline in (*earlier, *([last] if _known(last).epoch == "first" else [])):
            known = _known(pipeline)
            expected = known.step_of(step.seconds, step.spread) if step is not None else None
            pipeline.measurement = replace(known, step=expected)
        known = _known(last)
        notes = "; ".join(part for part in (known.note, note) if part)
        if known.epoch != "first":
            known = replace(_no_slower_than(step, known), step=step)
        last.measurement = replace(known, note=notes)
        self._tell(Result(self.run, complete=False))

    def try_changes(self) -> None:
        """Try other places and settings of stages, where a consumer waits for a pipeline or none is known."""
        begun = time.perf_counter()
        for measured in self._measured if self.error is None else ():
            # Where a cache makes a difference, later epochs are the many.
            pipeline = measured.pipelines[-1]
            step, left = _known(pipeline).step, _TRIALS_SHARE * self._seconds - (time.perf_counter() - begun)
            waited_for = step is None or step.waiting_share >= INPUT_BOUND
            if waited_for and left > 0 and pipeline.end.op not in FEEDS:
                # What was measured stands, whatever becomes of the trials.
                with contextlib.suppress(Exception):
                    trials.try_changes(measured.dataset, pipeline, cores(), seconds=left, progress=self._tell_of_trials)

    def _tell_of_trials(self, share: float) -> None:
        self.progress("trying other places of stages", share)

    def progress(self, text: str, fraction: float, else_note: str = "") -> None:
        """Tell what is going on."""
        self._tell(Progress(f"{text}{self._for}", fraction, measuring=True, else_note=else_note))

    def aside(self, text: str) -> None:
        """Tell what the user's program is at, while it has the terminal."""
        self._tell(Progress(text, 0.0, measuring=False))
        sys.stderr.write(f"pipelint: {one_line(text)}\n")

    def _repeats(self, consumption: ConsumedDataset) -> bool:
        """Whether it is one more evaluation of what the same lines make, behind a training that was measured."""
        if consumption.consumer.purpose is not Purpose.EVALUATION or consumption.measure_feed is not None:
            return False
        measured = [pipeline for dataset in self._measured for pipeline in dataset.pipelines]
        purposes = {pipeline.consumers[0].purpose for pipeline in measured}
        if not purposes >= {Purpose.TRAINING, Purpose.EVALUATION}:
            return False
        evaluated = [pipeline for pipeline in measured if pipeline.consumers[0].purpose is Purpose.EVALUATION]
        # What cannot be described is told when it is measured.
        with contextlib.suppress(Exception):
            lines = _lines(stages.describe(consumption.dataset).pipeline)
            return any(_lines(pipeline) == lines for pipeline in evaluated)
        return False

    def _measure(self, consumption: ConsumedDataset) -> None:
        consumer = consumption.consumer
        place = error_lines.shown(consumer.place)
        self._for = f" for {place}" if place else ""
        seconds = self._seconds_for(consumer)
        try:
            pipelines = self._measured_pipelines(consumption, seconds)
        except FeedError as error:
            self.error = error_lines.line_of(error.__cause__ or error, place or self._target)
            return
        except tf.errors.OpError as error:
            self.error = error_lines.line_of(error, place or self._target)
            return
        except Exception:  # noqa: BLE001 - a mistake of ours must not cost what has been measured
            traceback.print_exc()
            self.error = "internal error while measuring; please report it with the lines above"
            return
        self._measured.append(_MeasuredDataset(consumption.dataset, pipelines, seconds))
        failed = [known for known in map(_known, pipelines) if known.batches_per_second is None]
        if failed:
            lead = "" if _PLACED.match(failed[0].note) else f"{place or self._target}: "
            self.error = f"{lead}{failed[0].note}"
            return
        self._tell(Result(self.run, complete=False))
        if consumption.step is not None and self.times_steps:
            self.progress("timing the step", 0.0, else_note="the step was not timed, since two took too long")
            try:
                step, note = consumption.step(self.terms(consumption.dataset)), ""
            except Exception as error:  # noqa: BLE001 - a step that cannot be timed leaves the pipeline's own figures
                step, note = None, f"the step could not be timed: {error_lines.line_of(error, consumer.kind.value)}"
            self.add_step(consumption.dataset, step, note)

    def _seconds_for(self, consumer: Consumer) -> float:
        measured = (pipeline.consumers[0] for dataset in self._measured for pipeline in dataset.pipelines)
        trained = any(other.purpose is Purpose.TRAINING for other in measured)
        return self._seconds * (_BESIDE_TRAINING if trained and consumer.purpose is not Purpose.TRAINING else 1.0)

    def _measured_pipelines(self, consumption: ConsumedDataset, seconds: float) -> list[Pipeline]:
        consumer = consumption.consumer
        if consumption.measure_feed is not None:
            return [consumption.measure_feed(consumer, seconds=seconds, progress=self.progress)]
        captured = stages.describe(consumption.dataset)
        self.progress(f"found {_named(captured.pipeline)}", 0.0)
        return measurement.measure(consumption.dataset, captured, consumer, seconds=seconds, progress=self.progress)


def _named(pipeline: Pipeline) -> str:
    """`from_tensor_slices, map(load), batch`."""
    functions = {stage: stage.function.name for stage in pipeline.stages if stage.function is not None}
    names = [f"{stage.op}({name})" if (name := functions.get(stage)) else stage.op for stage in pipeline.stages]
    return ", ".join(names if len(names) <= _NAMED else [*names[:2], "...", *names[-_NAMED + 2 :]])


def _lines(pipeline: Pipeline) -> list[tuple[str, Place | None]]:
    return [(stage.op, stage.place) for stage in pipeline.every_stage]


def _known(pipeline: Pipeline) -> Measurement:
    assert pipeline.measurement is not None
    return pipeline.measurement


def _no_slower_than(step: Step | None, known: Measurement) -> Measurement:
    """What a pipeline gives by itself: no less than what a step got of it, without the starts of short epochs."""
    if step is None or not known.batches_per_second or known.batches_per_second * step.period_seconds >= 1:
        return known
    return replace(known, batches_per_second=1 / step.period_seconds, spread=step.spread)
