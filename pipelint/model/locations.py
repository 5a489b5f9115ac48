"""Where something stands: in the text of a program that is read, or in the files of one that runs."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass


class Location(ABC):
    """A place in source. Rules hand it on; only front ends and reports look inside."""

    @property
    @abstractmethod
    def order(self) -> tuple[object, ...]:
        """Sorts locations of one program by where they stand."""


@dataclass(frozen=True, order=True)
class Region(Location):
    """A half-open range of character offsets in the text of one program."""

    start: int
    end: int

    @property
    def order(self) -> tuple[object, ...]:
        """By offset."""
        return (self.start, self.end)

    def holds(self, other: Region) -> bool:
        """Whether the other lies inside of this one."""
        return self.start <= other.start and other.end <= self.end

    @classmethod
    def of(cls, location: Location) -> Region:
        """The location as a region, which it is in a program that is read."""
        assert isinstance(location, Region)
        return location


@dataclass(frozen=True)
class Place(Location):
    """A name in a source file: the method of a call, or the name of a function. Lines and columns count from 1."""

    path: str
    line: int
    column: int | None = None
    """In code points; None where Python does not tell (before 3.11)."""
    end_column: int | None = None
    function: str = ""
    """The function whose body holds the place, "" at the top of a module."""

    @property
    def order(self) -> tuple[object, ...]:
        """By file and line."""
        return (self.path, self.line, self.column or 0)


NOWHERE = Region(0, 0)
"""For what has no place of its own: a dataset that is a parameter, an attribute that is handed out."""
