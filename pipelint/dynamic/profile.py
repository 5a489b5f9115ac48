"""The result of `pipelint profile`: measured pipelines, what the analysis says of them, and what to do about it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from pipelint.knowledge.consumption import ConsumerKind
from pipelint.model.consumer import Consumer
from pipelint.model.cost import Measurement, Step, TrialRun
from pipelint.model.grades import Safety, Severity
from pipelint.model.locations import Place
from pipelint.model.pipeline import Pipeline, Stage

INPUT_BOUND = 0.05
"""The share of a step's time spent waiting for input from which a pipeline is worth speeding up."""
WORTHWHILE = 1.05
"""The least speedup that is worth a word."""
_TAKES_BATCHES = (ConsumerKind.FIT, ConsumerKind.EVALUATE, ConsumerKind.PREDICT)


@dataclass(frozen=True)
class SourceFix:
    """What `pipelint check --fix` does about a finding, in words."""

    title: str
    safety: Safety


FindFix = Callable[[str, Place], SourceFix | None]
"""Looks up the fix for a rule's finding at a place; None where the source does not show what the run did."""


@dataclass(frozen=True)
class Suggestion:
    """What a rule says of a stage, with what it would give."""

    code: str
    name: str
    severity: Severity
    message: str
    place: Place | None = None
    stage: Stage | None = None
    predicted_speedup: float | None = None
    """Of the pipeline's batches a second; None where it is about results, or cannot be told."""
    training_speedup: float | None = None
    """Of what consumes them, whose step stays as it is; None where no step was measured."""
    fix: SourceFix | None = None
    trial: TrialRun | None = None
    """What it gave, where it was tried on the live pipeline."""

    @property
    def speedup(self) -> float | None:
        """What it gave, else what is predicted."""
        return self.trial.speedup if self.trial is not None else self.predicted_speedup


@dataclass(frozen=True)
class Delay:
    """What most of the time up to the first batch goes to: a shuffle that fills its buffer, or a source that begins."""

    stage: Stage
    seconds: float
    elements: int | None = None
    """Of the buffer; None for a source."""


@dataclass(frozen=True)
class FirstBatch:
    """How long a consumer waits for the first batch of an epoch."""

    seconds: float
    later_seconds: float | None = None
    """In the epochs behind the first; None where that is not known, or no other begins."""
    spread: float = 0.0
    predicted: bool = False
    """Whether it comes of the costs of the stages, since it was not waited for."""
    delay: Delay | None = None
    """What most of it goes to, where that is known."""
    epoch_batches: int | None = None
    """None where nobody knows, or there is no end."""
    epoch_seconds: float | None = None

    @property
    def waited(self) -> float:
        """The seconds of most epochs."""
        return self.later_seconds or self.seconds

    @property
    def share(self) -> float | None:
        """The part of an epoch before its first batch, 0 to 1."""
        return self.waited / self.epoch_seconds if self.epoch_seconds else None


@dataclass(frozen=True)
class Service:
    """What a tf.data service would give a consumer that this machine cannot feed, with workers like this machine."""

    workers: int | None = None
    """As many as give that rate; None where none would help."""
    batches_per_second: float | None = None
    """What the step takes, or what one consumer receives where that is less."""
    bytes_per_second: float | None = None
    """What has to be sent for that."""
    only_here: Stage | None = None
    """A stage that runs in this process alone."""


@dataclass(frozen=True)
class Scaling:
    """What more machine would give the pipeline as it stands."""

    cores: int
    """Twice those of this machine."""
    batches_per_second: float
    resource: str = ""
    """What is scarcest then: `thread`, `pool`, `cpu` or `lock`."""
    held_by: Stage | None = None
    """The stage that needs most of it."""
    service: Service | None = None
    """None where the step does not need one, or is not known."""


@dataclass(frozen=True)
class PipelineProfile:
    """One measured pipeline, in its first or later epochs, and what there is to say of it."""

    pipeline: Pipeline
    bound: str | None = None
    """What keeps it from being faster: `cpu`, `io`, `python`, `memory` or `consumer`."""
    bottleneck: Stage | None = None
    limit_batches_per_second: float | None = None
    memory_forecast_bytes: int | None = None
    """What its buffers and caches will hold when they are full."""
    first_batch: FirstBatch | None = None
    scaling: Scaling | None = None
    """None where nothing waits for the pipeline."""
    suggestions: tuple[Suggestion, ...] = ()
    remarks: tuple[str, ...] = ()
    """What there is to know besides, one line each: memory, where a cache would fit, why there is no advice."""
    note: str = ""
    """What kept it from being measured in full, in one line; "" where it is told elsewhere."""
    source_lines: Mapping[Place, str] = field(default_factory=dict)
    """The line of source at the place of each stage and of the calls in its function, without indentation."""

    @property
    def measurement(self) -> Measurement:
        """What was measured of the pipeline as a whole."""
        return self.pipeline.measurement or Measurement()

    @property
    def consumer(self) -> Consumer:
        """What takes its elements."""
        return self.pipeline.consumers[0]

    @property
    def step(self) -> Step | None:
        """What the consumer does with a batch, where that was measured."""
        return self.measurement.step

    @property
    def input_bound(self) -> float | None:
        """The share of a step's time spent waiting for input; None without a step."""
        return self.step.waiting_share if self.step is not None else None

    @property
    def gives_batches(self) -> bool:
        """Whether its elements are batches: something makes batches of them, or Keras takes them for such."""
        return self.pipeline.batched or self.consumer.kind in _TAKES_BATCHES

    @property
    def holds_back(self) -> bool:
        """Whether what takes its elements would be faster if it were, for all that is known."""
        return self.step is None or self.step.waiting_share >= INPUT_BOUND

    @property
    def culprit(self) -> Stage | None:
        """The bottleneck, where that holds anything back."""
        return self.bottleneck if self.holds_back else None

    @property
    def stages(self) -> tuple[Stage, ...]:
        """All stages, those inside functions included."""
        return self.pipeline.every_stage

    def source_line(self, place: Place | None) -> str:
        """The line of source at a place, "" where it is not known."""
        return self.source_lines.get(place, "") if place is not None else ""

    def number(self, stage: Stage) -> int:
        """The id of a stage in reports."""
        return self.pipeline.numbers[stage]


@dataclass(frozen=True)
class Profile:
    """All that one run has to tell."""

    target: str
    tensorflow: str
    cores: int
    memory_bytes: int = 0
    """Of the machine."""
    pipelines: tuple[PipelineProfile, ...] = ()
    error: str | None = None
