"""What a rule reports."""

from __future__ import annotations

from dataclasses import dataclass

from pipelint.model.cost import TrialRun
from pipelint.model.edit import Edit
from pipelint.model.grades import Safety, Severity
from pipelint.model.locations import Location, Region
from pipelint.model.pipeline import Stage
from pipelint.model.repair import Repair


@dataclass(frozen=True)
class Fix:
    """A repair: what it does in words, whether it is safe, and what it asks for."""

    title: str
    safety: Safety
    repair: Repair

    @classmethod
    def safe(cls, title: str, repair: Repair) -> Fix:
        """A fix that keeps the element stream and the meaning bit-identical."""
        return cls(title, Safety.SAFE, repair)

    @classmethod
    def unsafe(cls, title: str, repair: Repair) -> Fix:
        """A fix after which order, random values, memory or semantics may differ."""
        return cls(title, Safety.UNSAFE, repair)


@dataclass(frozen=True)
class Related:
    """Another place that explains a finding."""

    location: Location
    message: str

    @property
    def region(self) -> Region:
        """The place in a program that is read."""
        return Region.of(self.location)


@dataclass(frozen=True)
class Finding:
    """One thing that a rule found at one place of one program."""

    code: str
    name: str
    severity: Severity
    message: str
    location: Location
    fix: Fix | None = None
    related: tuple[Related, ...] = ()
    stage: Stage | None = None
    """The stage that it is about, where it is about one."""
    trial: TrialRun | None = None
    """What doing as it says gave, where that was run."""

    @property
    def region(self) -> Region:
        """The place in a program that is read."""
        return Region.of(self.location)


@dataclass(frozen=True)
class UnusedSuppression:
    """A comment, or one code of it, that silenced nothing, and the edits that take it away."""

    region: Region
    message: str
    edits: tuple[Edit, ...]
