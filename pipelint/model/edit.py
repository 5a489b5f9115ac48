"""A change of text: what every repair comes to in the end."""

from __future__ import annotations

from dataclasses import dataclass

from pipelint.model.locations import Region


@dataclass(frozen=True, order=True)
class Edit:
    """Replaces a region of a program's text; an empty region inserts."""

    region: Region
    text: str

    def moved(self, by: int) -> Edit:
        """The same edit of a text that begins so much earlier, or for less than nothing, later."""
        return Edit(Region(self.region.start + by, self.region.end + by), self.text)


Edits = tuple[Edit, ...]
