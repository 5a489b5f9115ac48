"""Hand-made measurements: pipelines of which everything is known."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from pipelint.cli.actions.source_fixes import SourceFixes
from pipelint.dynamic.measure.measured_run import MeasuredRun, measured_pipeline
from pipelint.dynamic.predict.profile_of_run import profile_of_run
from pipelint.dynamic.predict.rate_model import RateModel
from pipelint.dynamic.profile import PipelineProfile, Profile
from pipelint.knowledge.consumption import ConsumerKind, Purpose
from pipelint.model.consumer import Consumer
from pipelint.model.cost import Cost, Measurement, Step
from pipelint.model.definitions import Cause, Effect, MappedFunction
from pipelint.model.locations import NOWHERE, Place
from pipelint.model.pipeline import Pipeline, Stage
from pipelint.model.values import Argument, Literal
from pipelint.project.projects import Overrides, Project, Projects

GIBIBYTE = 2**30
PURE = MappedFunction("decode", NOWHERE, True, stateful=False)
RANDOM = MappedFunction(
    "augment", NOWHERE, True, (Cause(Effect.RANDOM, "tf.image.random_flip_left_right", NOWHERE),), stateful=True
)
PYTHON = MappedFunction(
    "load",
    NOWHERE,
    True,
    (Cause(Effect.PYTHON, "tf.py_function", NOWHERE),),
    python=MappedFunction("slow", NOWHERE, False, stateful=True),
    stateful=True,
)
FIT = Consumer(ConsumerKind.FIT, Place("train.py", 99), Purpose.TRAINING)


@dataclass
class Chain:
    """Builds a pipeline stage by stage; each stands on a line of its own, the first on line 1."""

    stages: list[Stage] = field(default_factory=list)
    costs: dict[Stage, Cost] = field(default_factory=dict)
    nested: set[Stage] = field(default_factory=set)

    def then(
        self,
        op: str,
        milliseconds: float = 0.0,
        *,
        waits: float = 0.0,
        lock: float = 0.0,
        parallelism: float = 1.0,
        rewritten: str | None = None,
        inputs: tuple[int, ...] | None = None,
        inner: tuple[int, ...] = (),
        inside: bool = False,
        bytes_per_element: float | None = None,
        elements: float = 1.0,
        arguments: Mapping[str, Any] | None = None,
        options: Mapping[str, Any] | None = None,
        place: Place | None = None,
        **known: Any,
    ) -> Chain:
        """Add a stage that takes this long for a final batch, a part of which it waits or holds Python's lock.

        Its input is the stage before, unless that stands inside a function and this one does not, or others are named.
        """
        at = place or Place("train.py", len(self.stages) + 1, 6, 9)
        before = tuple(stage for stage in self.stages[-1:] if (stage in self.nested) is inside)
        taken = before if inputs is None else tuple(self.stages[number] for number in inputs)
        stage = Stage(
            op,
            at,
            at,
            arguments={name: Argument(Literal(value), at) for name, value in (arguments or {}).items()},
            options={name: Literal(value) for name, value in (options or {}).items()},
            inputs=taken,
            inner=tuple(Pipeline(self.stages[number]) for number in inner),
            is_source=not taken,
            **known,
        )
        self.stages.append(stage)
        if inside:
            self.nested.add(stage)
        self.costs[stage] = Cost(
            elements=elements,
            seconds=milliseconds / 1e3,
            cpu_seconds=milliseconds * (1 - waits) / 1e3,
            lock_seconds=milliseconds * lock / 1e3,
            parallelism=parallelism,
            rewritten=rewritten,
            bytes_per_element=bytes_per_element,
        )
        return self

    def pipeline(
        self, *, consumer: Consumer = FIT, costs: Mapping[Stage, Cost] | None = None, **known: Any
    ) -> Pipeline:
        """The pipeline, consumed by `fit` unless told otherwise, with what was measured of it."""
        pipeline = Pipeline(self.stages[-1])
        pipeline.adopt_stages()
        measured = self.costs if costs is None else costs
        return measured_pipeline(pipeline.consumed_by(consumer), measured, Measurement(**known))

    def model(self, cores: int = 4, **known: Any) -> RateModel:
        """The pipeline on a machine with so many cores."""
        return RateModel(self.pipeline(**known), cores)

    def profile(self, cores: int = 4, **known: Any) -> PipelineProfile:
        """What the analysis says of it."""
        return analysed(run(self.pipeline(**known), cores=cores)).pipelines[0]


def run(*pipelines: Pipeline, cores: int = 4) -> MeasuredRun:
    """A run that measured these, on a machine with 16 GiB."""
    return MeasuredRun("train.py", "2.21.0", cores, 16 * GIBIBYTE, pipelines)


def analysed(measured: MeasuredRun, project: Project | None = None) -> Profile:
    """The profile of a run, by the rules of this project or of the working directory."""
    project = project or Projects(Overrides(), tell=pytest.fail).of(Path.cwd())
    return profile_of_run(measured, project, SourceFixes(project).find)


def step(seconds: float, waiting: float) -> Step:
    """A step that spends this share of its period waiting for input."""
    return Step(seconds, seconds / (1 - waiting))
