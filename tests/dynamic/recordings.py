"""Hand-made recordings: pipelines of which everything is known."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from pipelint.dynamic.analysis import analyse
from pipelint.dynamic.predict.operational import Operations
from pipelint.dynamic.profile import PipelineProfile
from pipelint.dynamic.recording import (
    RecordedCause,
    RecordedConsumer,
    RecordedFunction,
    RecordedPipeline,
    RecordedStage,
    RecordedStep,
    Recording,
    StageCost,
)
from pipelint.model.locations import Place

GIBIBYTE = 2**30
PURE = RecordedFunction("decode", None, stateful=False)
RANDOM = RecordedFunction("augment", None, True, (RecordedCause("random", "tf.image.random_flip_left_right"),))
PYTHON = RecordedFunction(
    "load", None, True, (RecordedCause("python", "tf.py_function"),), python=RecordedFunction("slow", None, False)
)


@dataclass
class Chain:
    """Builds a pipeline stage by stage; each stands on a line of its own, the first on line 1."""

    stages: list[RecordedStage] = field(default_factory=list)
    costs: dict[int, StageCost] = field(default_factory=dict)

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
        nested_in: int | None = None,
        bytes_per_element: float | None = None,
        elements: float = 1.0,
        **recorded: Any,
    ) -> Chain:
        """Add a stage that takes this long for a final batch, a part of which it waits or holds Python's lock."""
        identity = len(self.stages)
        before = tuple(stage.id for stage in self.stages[-1:] if stage.nested_in == nested_in)
        self.stages.append(
            RecordedStage(
                id=identity,
                op=op,
                place=Place("train.py", identity + 1, 6, 9),
                inputs=before if inputs is None else inputs,
                inner=inner,
                nested_in=nested_in,
                **recorded,
            )
        )
        self.costs[identity] = StageCost(
            elements=elements,
            seconds=milliseconds / 1e3,
            cpu_seconds=milliseconds * (1 - waits) / 1e3,
            lock_seconds=milliseconds * lock / 1e3,
            parallelism=parallelism,
            rewritten=rewritten,
            bytes_per_element=bytes_per_element,
        )
        return self

    def recorded(self, **known: Any) -> RecordedPipeline:
        """The pipeline, consumed by `fit` unless told otherwise."""
        consumer = known.pop("consumer", RecordedConsumer("fit", "training", Place("train.py", 99)))
        costs: Mapping[int, StageCost] = known.pop("costs", self.costs)
        return RecordedPipeline(consumer, tuple(self.stages), costs=costs, **known)

    def operations(self, cores: int = 4, **known: Any) -> Operations:
        """The pipeline on a machine with so many cores."""
        return Operations(self.recorded(**known), cores)

    def profile(self, cores: int = 4, **known: Any) -> PipelineProfile:
        """What the analysis says of it."""
        recording = Recording("train.py", "2.21.0", cores, 16 * GIBIBYTE, (self.recorded(**known),))
        return analyse(recording).pipelines[0]


def step(seconds: float, waiting: float) -> RecordedStep:
    """A step that spends this share of its period waiting for input."""
    return RecordedStep(seconds, seconds / (1 - waiting), waiting)
