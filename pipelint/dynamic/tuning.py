"""The result of `pipelint tune`: what was tried, what it gave, and what the pipeline is after all of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from pipelint.dynamic.profile import PipelineProfile
from pipelint.model.grades import Safety
from pipelint.model.locations import Place


class Sameness(Enum):
    """How the elements of a rewritten pipeline compare with those of the one as written."""

    IDENTICAL = "identical"
    SAME_ELEMENTS = "same elements"
    NOT_COMPARABLE = "not comparable"
    CHANGED = "changed"
    """Such a rewrite is thrown away."""


@dataclass(frozen=True)
class Verdict:
    """What a comparison of the data says, with the reason in one line."""

    sameness: Sameness
    reason: str = ""


@dataclass(frozen=True)
class Gain:
    """How many times as fast a pipeline became: the median of pairs of runs, and the interval around it."""

    ratio: float
    low: float
    high: float
    pairs: int = 0


@dataclass(frozen=True)
class TriedRewrite:
    """One change of the source that was looked at."""

    code: str
    title: str
    safety: Safety
    place: Place | None
    predicted: float | None = None
    gain: Gain | None = None
    """None where it was not run."""
    verdict: Verdict | None = None
    """None where the data was not compared."""
    accepted: bool = False
    reason: str = ""
    """Why it was not accepted."""


@dataclass(frozen=True)
class Tuning:
    """All that one search has to tell."""

    target: str
    tensorflow: str
    cores: int
    before: float | None = None
    """Batches a second, of the program as written."""
    after: float | None = None
    limit: float | None = None
    """What the pipeline could give on this machine, as it is now."""
    total: Gain | None = None
    """What all rewrites together gave, where any was accepted."""
    rewrites: tuple[TriedRewrite, ...] = ()
    """Those that were accepted first, in the order in which they were made."""
    pipelines: tuple[PipelineProfile, ...] = ()
    """The pipeline as written and, where it was rewritten, as it is then."""
    ended: str = ""
    """Why the search ended, in one line."""
    notes: tuple[str, ...] = ()
    error: str | None = None
    interrupted: bool = False
    service: ServiceRun | None = None
    diff: str = field(default="", repr=False)
    """What was kept, as a unified diff."""

    @property
    def accepted(self) -> tuple[TriedRewrite, ...]:
        """What was made of the source."""
        return tuple(rewrite for rewrite in self.rewrites if rewrite.accepted)


@dataclass(frozen=True)
class KilledWorker:
    """What came of an epoch in the middle of which a worker of a service was killed, and started anew."""

    sharding: str
    examples: int
    lost: int
    repeated: int


@dataclass(frozen=True)
class ServiceRun:
    """What workers of a tf.data service gave on this machine."""

    sharding: str = ""
    """Of the patch: `DYNAMIC`, which gives each example at most once, or `OFF`, by which every worker gives all."""
    rates: tuple[float, ...] = ()
    """Batches a second, with one worker, two, and so on."""
    killed: tuple[KilledWorker, ...] = ()
    """In each mode that the pipeline can have; none where it was not tried."""
    note: str = ""
    """What there is to know besides, or why there is no more."""
    diff: str = field(default="", repr=False)
    """The patch that lets the program take its data from a service."""

    def to_plain(self) -> dict[str, Any]:
        """The run as data that JSON can hold."""
        return {**vars(self), "killed": [dict(vars(killed)) for killed in self.killed]}

    @classmethod
    def from_plain(cls, data: Mapping[str, Any]) -> ServiceRun:
        """The run that `to_plain` made this of."""
        killed = tuple(KilledWorker(**each) for each in data["killed"])
        return cls(**{**data, "rates": tuple(data["rates"]), "killed": killed})
