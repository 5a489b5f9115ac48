"""What was seen and measured of live pipelines: plain data, for the analysis in another process."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from pipelint.model.locations import Place

Constant = bool | int | float | str | None
"""The value of an argument; -1 stands for AUTOTUNE where a number of calls or elements is meant."""


@dataclass(frozen=True)
class RecordedCause:
    """Why a function has an effect: the operation, by the name a user knows."""

    effect: str
    """A value of pipelint.model.function.Effect."""
    name: str
    place: Place | None = None


@dataclass(frozen=True)
class RecordedFunction:
    """The function that a stage applies, as its traced graph shows it."""

    name: str | None
    """None for a lambda."""
    place: Place | None
    stateful: bool
    """Whether TensorFlow takes it for stateful, and so keeps its map sequential."""
    causes: tuple[RecordedCause, ...] = ()
    python: RecordedFunction | None = None
    """The Python function behind a py_function or numpy_function."""


@dataclass(frozen=True)
class RecordedStage:
    """One dataset of the live graph, as the program built it."""

    id: int
    op: str
    """As written in source: `map`, `batch`, `from_generator`, `TFRecordDataset`."""
    place: Place | None
    arguments: Mapping[str, Constant] = field(default_factory=dict)
    """What was given, by the names of tf.data's signature; an argument left at its default is absent."""
    inputs: tuple[int, ...] = ()
    inner: tuple[int, ...] = ()
    """The last stages of the pipelines that its function returns (interleave, flat_map)."""
    nested_in: int | None = None
    """The stage whose function builds this one."""
    function: RecordedFunction | None = None
    options: Mapping[str, Constant] = field(default_factory=dict)
    """What a `with_options` sets, by dotted name (`autotune.enabled`)."""
    element_bytes: int | None = None
    """The size of one element, where its shapes are known."""
    cardinality: int | None = None
    """How many elements it gives in one epoch; -1 endless, None unknown."""
    files: int | None = None
    """How many files a source reads, where that is known."""


@dataclass(frozen=True)
class StageCost:
    """What a stage costs for one final batch, with its calls one after the other."""

    elements: float
    seconds: float
    """Its own time, work and waiting, the time of its inputs left out."""
    cpu_seconds: float
    """The part of `seconds` in which a processor works for it."""
    lock_seconds: float = 0.0
    """The part in which it holds Python's interpreter lock."""
    parallelism: float = 1.0
    """As the user's pipeline ran: what was set, or what TensorFlow chose."""
    rewritten: str | None = None
    """The operation that TensorFlow put in its place, where that is another one."""
    bytes_per_element: float | None = None
    buffered_bytes: float = 0.0
    """What its buffer held when full."""
    buffered_elements: float = 0.0


@dataclass(frozen=True)
class RecordedConsumer:
    """What takes the elements."""

    kind: str
    """`fit`, `evaluate`, `predict`, `loop`, `iter`, or `dataset` where a dataset itself was asked for."""
    role: str = "unknown"
    """`training`, `evaluation` or `unknown`."""
    place: Place | None = None
    in_tf_function: bool = False


@dataclass(frozen=True)
class RecordedStep:
    """What the consumer does with a batch."""

    seconds: float
    """On a batch held in memory."""
    period_seconds: float
    """From one batch to the next with the real pipeline."""
    waiting_share: float
    """The part of the period spent waiting for input, 0 to 1."""


@dataclass(frozen=True)
class RecordedPipeline:
    """One consumed dataset, in its first or its later epochs."""

    consumer: RecordedConsumer
    stages: tuple[RecordedStage, ...]
    """Each behind its inputs; the pipelines inside a stage's function before that stage; the end last."""
    epoch: str | None = None
    """`first` or `later` where a cache makes a difference."""
    batches_per_second: float | None = None
    """With the user's own options and nothing done with the batches."""
    best_batches_per_second: float | None = None
    """With everything parallel that can be, and threads in plenty where work waits."""
    timeline: tuple[tuple[float, float], ...] = ()
    """Seconds since the start and batches a second, window by window, warm-up included."""
    spread: float = 0.0
    """The relative half-width of the interval around `batches_per_second`."""
    cores_used: float | None = None
    costs: Mapping[int, StageCost] = field(default_factory=dict)
    """By stage; empty where only the throughput could be measured."""
    serial_seconds: float | None = None
    """A final batch with everything one after the other: the sum of the costs."""
    prefetch_injected: bool = False
    step: RecordedStep | None = None
    memory_bytes: int | None = None
    """How much more memory the process held while the pipeline ran."""
    batches: int = 0
    """How many final batches the figures rest on."""
    note: str = ""
    """What kept it from being measured in full, in one line."""


@dataclass(frozen=True)
class Recording:
    """All that one run has measured."""

    target: str
    tensorflow: str
    cores: int
    ram_bytes: int
    pipelines: tuple[RecordedPipeline, ...] = ()
    """The training pipeline first."""
    error: str | None = None
    """Why the run ended early, in one line that names the user's place."""
