"""From a recorded pipeline to the model that rules look at."""

from __future__ import annotations

from dataclasses import dataclass, field

from pipelint.dynamic.predict.operational import Operations
from pipelint.dynamic.recording import RecordedCause, RecordedFunction, RecordedStage
from pipelint.knowledge.stages import LOADERS, MERGES
from pipelint.model.code import Cause, Effect, MappedFunction
from pipelint.model.locations import NOWHERE, Location
from pipelint.model.pipeline import Consumer, Cost, Dataset, Pipeline, Stage
from pipelint.model.program import Program, Version
from pipelint.model.values import Argument, Literal


@dataclass(frozen=True)
class LiveProgram:
    """A recorded pipeline as a program, and what its stages were made of."""

    program: Program
    recorded: dict[Stage, RecordedStage]


def live_program(operations: Operations, version: str) -> LiveProgram:
    """The program that consumes this one dataset, as it was built on this TensorFlow."""
    builder = _Builder(operations)
    dataset = builder.dataset()
    return LiveProgram(Program(_version(version), (dataset,)), builder.recorded)


def _version(text: str) -> Version:
    major, minor = text.split(".")[:2]
    return int(major), int(minor)


@dataclass
class _Builder:
    """Builds the stages in the order of the pipeline."""

    operations: Operations
    recorded: dict[Stage, RecordedStage] = field(default_factory=dict)
    _stages: dict[int, Stage] = field(default_factory=dict)

    def dataset(self) -> Dataset:
        recorded = self.operations.pipeline
        for stage in recorded.stages:
            self._stages[stage.id] = self._stage(stage)
        pipeline = self._pipeline(recorded.stages[-1].id, None)
        consumer = recorded.consumer
        kind = "iter" if consumer.kind == "dataset" else consumer.kind
        place = consumer.place or NOWHERE
        taking = Consumer(kind, place, consumer.role, consumer.in_tf_function)
        pipeline.dataset = Dataset((pipeline,), (taking,), True, ((taking, place),))
        return pipeline.dataset

    def _pipeline(self, end: int, nested_in: Stage | None) -> Pipeline:
        pipeline = Pipeline(self._stages[end], nested_in=nested_in)
        for stage in pipeline.stages:
            stage.pipeline = pipeline
            stage.inner = tuple(self._pipeline(inner, stage) for inner in self.recorded[stage].inner)
        return pipeline

    def _stage(self, recorded: RecordedStage) -> Stage:
        place = recorded.place or NOWHERE
        stage = Stage(
            op=recorded.op,
            name=place,
            call=place,
            arguments={name: Argument(Literal(value), place) for name, value in recorded.arguments.items()},
            function=self._function(recorded.function, recorded, place) if recorded.function else None,
            inputs=tuple(self._stages[part] for part in recorded.inputs),
            options={name: Literal(value) for name, value in recorded.options.items()},
            is_source=not recorded.inputs or recorded.op in MERGES,
            yields_batches=recorded.op in LOADERS,
            several=None if recorded.files is None else recorded.files > 1,
            built_in=recorded.place.function if recorded.place else "",
            cost=self._cost(recorded.id),
        )
        self.recorded[stage] = recorded
        for part in stage.inputs:
            part.output = stage
        return stage

    def _cost(self, stage: int) -> Cost | None:
        cost = self.operations.pipeline.costs.get(stage)
        if cost is None:
            return None
        return Cost(cost.seconds, self.operations.share(stage), self.operations.bound(stage), cost.parallelism)

    def _function(self, recorded: RecordedFunction, stage: RecordedStage, place: Location) -> MappedFunction:
        return MappedFunction(
            name=recorded.name,
            location=recorded.place or place,
            resolved=True,
            causes=tuple(_cause(cause, place) for cause in recorded.causes),
            python=self._python(recorded.python, stage, place) if recorded.python else None,
        )

    def _python(self, recorded: RecordedFunction, stage: RecordedStage, place: Location) -> MappedFunction:
        """Where the calls of a Python function are not known, the clock tells: one that holds the lock computes."""
        function = self._function(recorded, stage, place)
        function.resolved = bool(recorded.causes) or self.operations.bound(stage.id) == "python"
        return function


def _cause(recorded: RecordedCause, place: Location) -> Cause:
    return Cause(Effect(recorded.effect), recorded.name, recorded.place or place)
