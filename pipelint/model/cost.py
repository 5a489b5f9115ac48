"""What was measured: of each stage, of what the consumer does with a batch, and of a pipeline as a whole."""

from __future__ import annotations

from dataclasses import dataclass

from pipelint.model.locations import Place

_SETTLED = 0.25
"""Where the interval around a share goes further than this to each side, its middle says nothing."""


@dataclass(frozen=True)
class InnerCost:
    """What one call in the function of a stage was measured to cost."""

    name: str
    """As users know it: `tf.io.decode_jpeg`; of Python code that the graph calls, the name of the function."""
    share: float
    """Of the stage's own time, 0 to 1."""
    place: Place | None = None
    python: bool = False
    """Whether it leaves the graph for Python."""


@dataclass(frozen=True)
class Inside:
    """What the calls in the function of a stage take, the dearest first."""

    calls: tuple[InnerCost, ...] = ()
    untold: str = ""
    """Why there are none, where it could not be told."""

    @property
    def between(self) -> float:
        """The share in which none of them works: TensorFlow calls the function and passes tensors on."""
        return 0.0 if self.untold else max(0.0, 1 - sum(call.share for call in self.calls))


@dataclass(frozen=True)
class Cost:
    """What a stage was measured to cost for one final batch, with its calls one after the other."""

    elements: float = 0.0
    seconds: float = 0.0
    """Its own time, work and waiting, the time of its inputs left out."""
    cpu_seconds: float = 0.0
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
    start_seconds: float = 0.0
    """What a source took up to the first batch beyond what its elements cost later on."""
    inside: Inside | None = None
    """Of a function that takes much of the pipeline's work."""


@dataclass(frozen=True)
class Start:
    """How long an iterator takes from its making to its first batch."""

    seconds: float
    """Of the first one."""
    later_seconds: float | None = None
    """Of those made after it, as for later epochs; None where there was none."""
    spread: float = 0.0
    """The relative half-width of the interval around both."""
    in_rate: bool = False
    """Whether epochs were so short that the batches a second have several starts in them."""
    buffers_at_most: int | None = None
    """How many elements shuffle buffers held, where they were made smaller than the user's."""


@dataclass(frozen=True)
class Step:
    """What the consumer was measured to do with a batch: its period is its own time and what the input costs it."""

    seconds: float
    """Its own time, as on a batch held in memory."""
    period_seconds: float
    """From one batch to the next with the real pipeline."""
    spread: float = 0.0
    """The relative half-width of the interval around `period_seconds`."""
    waiting_spread: float = 0.0
    """The half-width of the interval around `waiting_share`."""
    has_starts: bool = False
    """Whether epochs were so short that the period has its part of their starts in it."""

    @property
    def waiting_share(self) -> float:
        """The part of the period that the input costs, 0 to 1."""
        return max(0.0, 1 - self.seconds / self.period_seconds) if self.period_seconds > 0 else 0.0

    @property
    def is_settled(self) -> bool:
        """Whether the part that the input costs is known well enough for a figure."""
        return self.waiting_spread <= _SETTLED


@dataclass(frozen=True)
class TrialRun:
    """What a pipeline gave with one stage in another place or setting, run in turns with the pipeline as it is."""

    speedup: float
    """Of its batches a second; where the start of each epoch becomes shorter, of its epochs."""
    spread: float = 0.0
    """How far the interval around `speedup` goes: 0.5 from two thirds of it to one and a half times it."""
    predicted_speedup: float | None = None
    """What the costs of its stages promise."""

    @property
    def low(self) -> float:
        """The lower end of the interval."""
        return self.speedup / (1 + self.spread)

    @property
    def high(self) -> float:
        """The upper end of the interval."""
        return self.speedup * (1 + self.spread)


@dataclass(frozen=True)
class Measurement:
    """What was measured of a pipeline as a whole."""

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
    disturbance: float = 0.0
    """How many processors others used meanwhile."""
    prefetch_injected: bool = False
    """Whether TensorFlow put a prefetch behind the end by itself."""
    step: Step | None = None
    start: Start | None = None
    """None where caches were not as full as in the epochs that it is about."""
    memory_bytes: int | None = None
    """How much more memory the process held while the pipeline ran."""
    batches: int = 0
    """How many final batches the figures rest on."""
    note: str = ""
    """What kept it from being measured in full, in one line."""

    def step_of(self, seconds: float, spread: float = 0.0) -> Step | None:
        """How a step of so many seconds would go behind this pipeline, where neither takes from the other."""
        if not self.batches_per_second:
            return None
        period = max(seconds, 1 / self.batches_per_second)
        # A step that is the slower one goes at its own pace.
        both = max(spread, self.spread) if period > seconds else spread
        return Step(seconds, period, both, seconds / period * both if period > seconds else 0.0)
