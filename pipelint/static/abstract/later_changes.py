"""What may change behind the back of the code that is being followed."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Changes:
    """What the program changes at times that nobody can tell: in functions that anybody may call."""

    names: frozenset[str] = frozenset()
    """Variables outside of functions that functions rebind, or whose containers they fill."""
    attributes: frozenset[str] = frozenset()
    """Attributes with which methods do so after the object is made."""
    switches: frozenset[str] = frozenset()
    """Attributes whose first value says nothing of later ones."""

    def joined(self, other: Changes) -> Changes:
        """What either of two modules changes."""
        return Changes(self.names | other.names, self.attributes | other.attributes, self.switches | other.switches)
