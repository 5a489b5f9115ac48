"""What a rule reports and how it asks for a repair."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property


class Severity(Enum):
    """How much a finding matters; the order of the members is the order of weight."""

    ADVICE = "advice"
    WARNING = "warning"
    ERROR = "error"

    @property
    def weight(self) -> int:
        """Larger is worse, so that severities can be compared."""
        return list(Severity).index(self)


class Safety(Enum):
    """Whether a fix keeps the element stream and the meaning bit-identical."""

    SAFE = "safe"
    UNSAFE = "unsafe"


@dataclass(frozen=True, order=True)
class Region:
    """A half-open range of character offsets in the text of one program."""

    start: int
    end: int


@dataclass(frozen=True, order=True)
class Edit:
    """Replaces a region of a program's text; an empty region inserts."""

    region: Region
    text: str


@dataclass(frozen=True)
class Fix:
    """A repair: what it does in words, whether it is safe, and the edits, worked out when first asked for."""

    title: str
    safety: Safety
    render: Callable[[], tuple[Edit, ...]] = field(repr=False, compare=False)

    @cached_property
    def edits(self) -> tuple[Edit, ...]:
        """The text edits, sorted and free of overlaps; empty where the source cannot take the fix."""
        return tuple(sorted(self.render()))


@dataclass(frozen=True)
class Related:
    """Another place that explains a finding."""

    region: Region
    message: str


@dataclass(frozen=True)
class Finding:
    """One thing that a rule found at one place of one program."""

    code: str
    name: str
    severity: Severity
    message: str
    region: Region
    fix: Fix | None = None
    related: tuple[Related, ...] = ()


@dataclass(frozen=True)
class UnusedSuppression:
    """A comment, or one code of it, that silenced nothing, and the edits that take it away."""

    region: Region
    message: str
    edits: tuple[Edit, ...]
