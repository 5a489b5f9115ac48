"""A module of a project as text, and the way from it to the modules that it imports."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Protocol


class Importer(Protocol):
    """Finds what one file of a project imports from the others, and who imports it."""

    @property
    def own(self) -> ModuleText | None:
        """The file itself, as others import it."""

    def importers(self) -> Iterator[ModuleText]:
        """The modules that import the file, the nearest first."""

    def find(self, name: str, level: int) -> ModuleText | None:
        """The module of the project with this dotted name, None for one of another origin; a level is that of dots."""

    def settings(self, path: str) -> str | None:
        """The text of a file of settings in the project, by the path with which the file opens it."""


@dataclass(frozen=True, eq=False)
class ModuleText:
    """A module of the project: its text, the line at which that begins among all texts, and what finds its imports."""

    name: str
    text: str = field(repr=False)
    first_line: int
    importer: Importer
    is_package: bool = False
    is_bare: bool = False
    """Whether it is a directory without `__init__.py`: Python imports a library of that name rather than it."""
