"""How much a finding matters, and how far a fix can be trusted."""

from __future__ import annotations

from enum import Enum


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
