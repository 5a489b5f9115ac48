"""One run that measures: the pipelines so far, and what is told of them on the way."""

from __future__ import annotations

import re
import sys
import traceback
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any

import tensorflow as tf

from pipelint.display.terminal import one_line
from pipelint.dynamic.capture import stages
from pipelint.dynamic.measure import measurement as measuring
from pipelint.dynamic.measure.hardware import cores, machine_bytes
from pipelint.dynamic.process import failures
from pipelint.dynamic.process.channel import Message, Progress, Result
from pipelint.dynamic.recording import RecordedConsumer, RecordedPipeline, RecordedStep, Recording

_STEP_SHARE = 0.25
"""The part of a pipeline's time that its step may take besides."""
_TOO_SLOW = 0.8
"""The part of a step's time from which the pipeline alone, at that, leaves nothing for the step itself."""
_PLACED = re.compile(r"\S+:\d+: ")


@dataclass(frozen=True)
class Consumption:
    """A dataset with what takes its elements."""

    dataset: Any
    consumer: RecordedConsumer
    step: Callable[[float], RecordedStep] | None = None
    """Times what the consumer does with a batch, in about so many seconds."""


@dataclass
class _Measured:
    dataset: Any
    pipelines: list[RecordedPipeline]


class Session:
    """Measures datasets one after the other; stops at the first that fails."""

    def __init__(self, target: str, seconds: float, tell: Callable[[Message], None]) -> None:
        self._target = target
        self._seconds = seconds
        self._tell = tell
        self._measured: list[_Measured] = []
        self._for = ""
        self.error: str | None = None

    @property
    def recording(self) -> Recording:
        """What has been measured so far, training first."""
        pipelines = [pipeline for measured in self._measured for pipeline in measured.pipelines]
        pipelines.sort(key=lambda pipeline: pipeline.consumer.role != "training")
        return Recording(self._target, tf.__version__, cores(), machine_bytes(), tuple(pipelines), self.error)

    @property
    def step_seconds(self) -> float:
        """How long the timing of a step may take."""
        return self._seconds * _STEP_SHARE

    def measure(self, consumptions: Iterable[Consumption]) -> None:
        """Measure the datasets that have not been measured yet, each with its step."""
        for consumption in consumptions:
            known = any(consumption.dataset is measured.dataset for measured in self._measured)
            if self.error is None and not known:
                self._measure(consumption)

    def add_step(self, dataset: Any, step: RecordedStep | None, note: str = "") -> None:
        """Give a measured dataset the time of its step, or say why there is none."""
        measured = next(measured for measured in self._measured if measured.dataset is dataset)
        # The step ran behind the epochs that were measured, when caches were full.
        *earlier, last = measured.pipelines
        measured.pipelines = [
            *(replace(pipeline, step=_expected(step, pipeline)) for pipeline in earlier),
            replace(last, step=_starved(step, last), note="; ".join(part for part in (last.note, note) if part)),
        ]
        self._tell(Result(self.recording, complete=False))

    def progress(self, text: str, fraction: float) -> None:
        """Tell what is going on."""
        self._tell(Progress(f"{text}{self._for}", fraction, measuring=True))

    def aside(self, text: str) -> None:
        """Tell what the user's program is at, while it has the terminal."""
        self._tell(Progress(text, 0.0, measuring=False))
        sys.stderr.write(f"pipelint: {one_line(text)}\n")

    def _measure(self, consumption: Consumption) -> None:
        consumer = consumption.consumer
        place = failures.shown(consumer.place)
        self._for = f" for {place}" if place else ""
        try:
            captured = stages.describe(consumption.dataset)
            pipelines = measuring.measure(
                consumption.dataset, captured, consumer, seconds=self._seconds, progress=self.progress
            )
        except tf.errors.OpError as error:
            self.error = failures.line_of(error, place or self._target)
            return
        except Exception:  # noqa: BLE001 - a mistake of ours must not cost what has been measured
            traceback.print_exc()
            self.error = "internal error while measuring; please report it with the lines above"
            return
        self._measured.append(_Measured(consumption.dataset, list(pipelines)))
        if failed := next((pipeline for pipeline in pipelines if pipeline.batches_per_second is None), None):
            lead = "" if _PLACED.match(failed.note) else f"{place or self._target}: "
            self.error = f"{lead}{failed.note}"
            return
        self._tell(Result(self.recording, complete=False))
        if consumption.step is not None:
            self.progress("timing the step", 0.0)
            try:
                step, note = consumption.step(self.step_seconds), ""
            except Exception as error:  # noqa: BLE001 - a step that cannot be timed leaves the pipeline's own figures
                step, note = None, f"the step could not be timed: {failures.line_of(error, consumer.kind)}"
            self.add_step(consumption.dataset, step, note)


def _starved(step: RecordedStep | None, pipeline: RecordedPipeline) -> RecordedStep | None:
    """The step behind a pipeline that is too slow for it: what it takes longer than in memory, it waits.

    It waits for processors where not for batches, which the consumer's own clock cannot tell from work.
    """
    if step is None or not pipeline.batches_per_second or step.seconds <= 0:
        return step
    keeps_up = 1 / pipeline.batches_per_second < _TOO_SLOW * step.period_seconds
    return step if keeps_up else replace(step, waiting_share=1 - step.seconds / step.period_seconds)


def _expected(step: RecordedStep | None, pipeline: RecordedPipeline) -> RecordedStep | None:
    """How the same step would go in other epochs than those that it was timed in."""
    if step is None or not pipeline.batches_per_second:
        return None
    period = max(step.seconds, 1 / pipeline.batches_per_second)
    return RecordedStep(step.seconds, period, 1 - step.seconds / period)
