"""The result of `pipelint profile`, in the words that reports use."""

from __future__ import annotations

from dataclasses import dataclass

from pipelint.model.grades import Severity

INPUT_BOUND = 0.05
"""The share of a step's time spent waiting for input from which a pipeline is worth speeding up."""
WORTHWHILE = 1.05
"""The least speedup that is worth a word."""


@dataclass(frozen=True)
class StageProfile:
    """One stage with what it costs."""

    id: int
    op: str
    path: str | None
    """Relative to the working directory, as in findings."""
    line: int | None
    column: int | None
    inputs: tuple[int, ...]
    """The ids of its inputs; the pipelines inside its function come after them."""
    nested_in: int | None
    elements: float | None
    """Per final batch."""
    seconds_per_batch: float | None
    share: float | None
    parallelism: float | None
    bytes_per_element: float | None
    stateful: bool
    bound: str | None
    """`cpu`, `io`, `python`, or None where it costs next to nothing."""
    rewritten_by_tensorflow: str | None
    function: str = ""
    """How a message speaks of the function that it applies, "" without one."""
    rate: float | None = None
    """The batches a second that it could deliver on its own, one call at a time."""
    cpu_share: float | None = None
    """The part of its time in which a processor works for it."""
    buffered_bytes: float = 0.0
    source: str = ""
    """The line of source, without indentation."""


@dataclass(frozen=True)
class Suggestion:
    """What a rule says of a stage, with what it would give."""

    code: str
    name: str
    severity: Severity
    message: str
    path: str | None
    line: int | None
    column: int | None
    stage: int | None
    predicted_speedup: float | None
    """Of the pipeline's batches a second; None where it is about results, or cannot be told."""
    fix: str = ""
    """What `pipelint check --fix` does about it, in words; "" where nothing."""
    unsafe: bool = False


@dataclass(frozen=True)
class StepProfile:
    """What the consumer does with a batch."""

    seconds: float
    period_seconds: float


@dataclass(frozen=True)
class PipelineProfile:
    """One consumed dataset, in its first or later epochs."""

    consumer: str
    role: str
    path: str | None
    line: int | None
    """Where it is consumed."""
    epoch: str | None
    batches_per_second: float | None
    spread: float
    input_bound: float | None
    step: StepProfile | None
    bound: str | None
    """`cpu`, `io`, `python`, `memory` or `consumer`."""
    limit_batches_per_second: float | None
    memory_bytes: int | None
    memory_forecast_bytes: int | None
    """What its buffers and caches will hold when they are full."""
    stages: tuple[StageProfile, ...]
    bottleneck: int | None
    suggestions: tuple[Suggestion, ...]
    remarks: tuple[str, ...] = ()
    """What there is to know besides, one line each: memory, where a cache would fit, why there is no advice."""
    timeline: tuple[tuple[float, float], ...] = ()
    cores_used: float | None = None
    note: str = ""


@dataclass(frozen=True)
class Profile:
    """All that one run has to tell."""

    target: str
    tensorflow: str
    cores: int
    pipelines: tuple[PipelineProfile, ...] = ()
    error: str | None = None
