"""What one run measured, for the analysis in another process."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from pipelint.dynamic.measure.contents import Contents
from pipelint.dynamic.tuning import ServiceRun
from pipelint.model.cost import Cost, Measurement
from pipelint.model.pipeline import Pipeline, Stage
from pipelint.model.serialization import from_plain, to_plain


@dataclass(frozen=True)
class MeasuredRun:
    """All that one run has measured, and the machine that it ran on."""

    target: str
    tensorflow: str = ""
    cores: int = 0
    memory_bytes: int = 0
    """Of the machine."""
    pipelines: tuple[Pipeline, ...] = ()
    """The training pipeline first."""
    error: str | None = None
    """Why the run ended early, in one line that names the user's place."""
    contents: Contents | None = None
    """What the first pipeline gives, where that was asked for."""
    service: ServiceRun | None = None
    """What workers of a service gave, where that was asked for."""

    def to_plain(self) -> dict[str, Any]:
        """The run as data that JSON can hold."""
        contents = self.contents.to_plain() if self.contents is not None else None
        service = self.service.to_plain() if self.service is not None else None
        pipelines = [to_plain(pipeline) for pipeline in self.pipelines]
        return {**vars(self), "pipelines": pipelines, "contents": contents, "service": service}

    def with_step(self, seconds: float) -> MeasuredRun:
        """The same run in front of a step that takes so long, as on the machine that it is meant for."""
        for pipeline in self.pipelines:
            known = pipeline.measurement or Measurement()
            pipeline.measurement = replace(known, step=known.step_of(seconds))
        return self

    def with_note(self, text: str) -> MeasuredRun:
        """The same run, with why a step has no time."""
        for pipeline in self.pipelines:
            known = pipeline.measurement or Measurement()
            if known.step is None:
                pipeline.measurement = replace(known, note="; ".join(filter(None, [known.note, text])))
        return self

    @classmethod
    def from_plain(cls, data: Mapping[str, Any]) -> MeasuredRun:
        """The run that `to_plain` made this of."""
        pipelines = tuple(from_plain(pipeline) for pipeline in data["pipelines"])
        contents = Contents.from_plain(data["contents"]) if data["contents"] is not None else None
        service = ServiceRun.from_plain(data["service"]) if data["service"] is not None else None
        return cls(**{**data, "pipelines": pipelines, "contents": contents, "service": service})


def measured_pipeline(pipeline: Pipeline, costs: Mapping[Stage, Cost], measurement: Measurement) -> Pipeline:
    """A copy of the pipeline with what was measured of it, and what the clocks tell of its Python functions.

    Where the calls of one are not known, the clock tells: one that holds Python's lock computes.
    """
    copy = pipeline.measured(costs, measurement)
    for stage in copy.every_stage:
        function = stage.function
        if function is not None and function.python is not None and stage.bound == "python":
            stage.function = replace(function, python=replace(function.python, resolved=True))
    return copy
