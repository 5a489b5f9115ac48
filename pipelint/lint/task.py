"""What a run is asked to do with every file."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum

from pipelint.lint.known_findings import KnownFindings
from pipelint.model.grades import Safety


class Mode(Enum):
    """What to do about findings."""

    LIST = "list"
    """Only which they are, without their fixes."""
    REPORT = "report"
    DIFF = "diff"
    FIX = "fix"
    ADD_NOQA = "add noqa"

    @property
    def writes(self) -> bool:
        """Whether files may change."""
        return self in (Mode.FIX, Mode.ADD_NOQA)


class Fixes(Enum):
    """Which fixes are wanted."""

    NONE = "none"
    SAFE = "safe"
    ALL = "all"

    def allow(self, safety: Safety) -> bool:
        """Whether a fix of this safety is wanted."""
        return self is Fixes.ALL or (self is Fixes.SAFE and safety is Safety.SAFE)


@dataclass(frozen=True)
class Task:
    """What a run does with every file."""

    mode: Mode = Mode.REPORT
    fixes: Fixes = Fixes.SAFE
    force_exclude: bool = False
    known: KnownFindings = field(default_factory=KnownFindings)

    @property
    def only_tells(self) -> bool:
        """Whether nothing is worked out but what is found."""
        return self.mode in (Mode.LIST, Mode.REPORT)

    @property
    def applied(self) -> Fixes:
        """The fixes that are applied, or would be."""
        return self.fixes if self.mode in (Mode.DIFF, Mode.FIX) else Fixes.NONE

    @property
    def changes_others(self) -> bool:
        """Whether a finding in one file may change another."""
        return self.applied is not Fixes.NONE

    @property
    def shown(self) -> Fixes:
        """The fixes that are shown with the findings that are left."""
        return Fixes.NONE if self.mode is Mode.LIST else Fixes.ALL
