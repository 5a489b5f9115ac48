"""From a recorded pipeline to the model that rules look at."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from pipelint.dynamic.predict.operational import Operations
from pipelint.dynamic.recording import Place, RecordedCause, RecordedFunction, RecordedStage
from pipelint.knowledge import signatures as tfdata
from pipelint.model.editor import Editor
from pipelint.model.finding import Region
from pipelint.model.function import Cause, Effect, MappedFunction
from pipelint.model.pipeline import Consumer, Cost, Dataset, Pipeline, Stage
from pipelint.model.program import Program, Version
from pipelint.model.values import Argument, Literal


@dataclass(frozen=True)
class Spot:
    """What a region of a live program stands for."""

    place: Place | None
    stage: int | None = None


@dataclass(frozen=True)
class LiveProgram:
    """A recorded pipeline as a program, and what its regions stand for."""

    program: Program
    spots: Mapping[Region, Spot]


def live_program(operations: Operations, version: str, editor: Editor) -> LiveProgram:
    """The program that consumes this one dataset, as it was built on this TensorFlow."""
    builder = _Builder(operations, editor)
    dataset = builder.dataset()
    return LiveProgram(Program(_version(version), editor, (dataset,)), builder.spots)


def _version(text: str) -> Version:
    major, minor = text.split(".")[:2]
    return int(major), int(minor)


@dataclass
class _Builder:
    """Builds the stages in the order of the pipeline, so that the regions of later ones sort later."""

    operations: Operations
    editor: Editor
    spots: dict[Region, Spot] = field(default_factory=dict)
    _stages: dict[int, Stage] = field(default_factory=dict)

    def dataset(self) -> Dataset:
        recorded = self.operations.pipeline
        for stage in recorded.stages:
            self._stages[stage.id] = self._stage(stage)
        pipeline = self._pipeline(recorded.stages[-1].id, None)
        consumer = recorded.consumer
        kind = "iter" if consumer.kind == "dataset" else consumer.kind
        region = self._region(Spot(consumer.place))
        taking = Consumer(kind, region, consumer.role, consumer.in_tf_function)
        pipeline.dataset = Dataset((pipeline,), (taking,), True, self.editor, ((taking, region),))
        return pipeline.dataset

    def _pipeline(self, end: int, nested_in: Stage | None) -> Pipeline:
        pipeline = Pipeline(self._stages[end], nested_in=nested_in)
        for stage in pipeline.stages:
            stage.pipeline = pipeline
            assert isinstance(stage.definition, RecordedStage)
            stage.inner = tuple(self._pipeline(inner, stage) for inner in stage.definition.inner)
        return pipeline

    def _stage(self, recorded: RecordedStage) -> Stage:
        spot = Spot(recorded.place, recorded.id)
        stage = Stage(
            op=recorded.op,
            name=self._region(spot),
            call=self._region(spot),
            editor=self.editor,
            arguments={
                name: Argument(Literal(value), self._region(spot)) for name, value in recorded.arguments.items()
            },
            function=self._function(recorded.function, spot) if recorded.function else None,
            inputs=tuple(self._stages[part] for part in recorded.inputs),
            options={name: Literal(value) for name, value in recorded.options.items()},
            is_source=not recorded.inputs or recorded.op in tfdata.MERGES,
            yields_batches=recorded.op in tfdata.LOADERS,
            several=None if recorded.files is None else recorded.files > 1,
            definition=recorded,
            built_in=recorded.place.function if recorded.place else "",
            cost=self._cost(recorded.id),
        )
        for part in stage.inputs:
            part.output = stage
        return stage

    def _cost(self, stage: int) -> Cost | None:
        cost = self.operations.pipeline.costs.get(stage)
        if cost is None:
            return None
        return Cost(cost.seconds, self.operations.share(stage), self.operations.bound(stage), cost.parallelism)

    def _function(self, recorded: RecordedFunction, spot: Spot) -> MappedFunction:
        return MappedFunction(
            name=recorded.name,
            region=self._region(Spot(recorded.place or spot.place, spot.stage)),
            resolved=True,
            causes=tuple(self._cause(cause, spot) for cause in recorded.causes),
            python=self._python(recorded.python, spot) if recorded.python else None,
        )

    def _python(self, recorded: RecordedFunction, spot: Spot) -> MappedFunction:
        """Where the calls of a Python function are not known, the clock tells: one that holds the lock computes."""
        function = self._function(recorded, spot)
        computes = spot.stage is not None and self.operations.bound(spot.stage) == "python"
        function.resolved = bool(recorded.causes) or computes
        return function

    def _cause(self, recorded: RecordedCause, spot: Spot) -> Cause:
        region = self._region(Spot(recorded.place or spot.place, spot.stage))
        return Cause(Effect(recorded.effect), recorded.name, region)

    def _region(self, spot: Spot) -> Region:
        region = Region(len(self.spots), len(self.spots) + 1)
        self.spots[region] = spot
        return region
