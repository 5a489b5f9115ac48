"""The files of a project as they are on disk, each looked at once, whatever stands in for some of them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from pipelint.source.discovery import walked_files
from pipelint.source.unit import Unit


class FilesOnDisk:
    """What was found below one directory; all states of a project share it, and an editor has one for each key."""

    def __init__(self) -> None:
        self._units: dict[Path, Unit | None] = {}
        self._files: dict[Path, bool] = {}
        self._directories: dict[Path, bool] = {}
        self._listed: dict[int, tuple[Path, ...]] = {}

    def unit(self, file: Path, read: Callable[[Path], Unit | None]) -> Unit | None:
        """The text of a module, which is read if it was not."""
        if file not in self._units:
            self._units[file] = read(file)
        return self._units[file]

    def is_file(self, file: Path) -> bool:
        """Whether there is a file."""
        if file not in self._files:
            self._files[file] = file.is_file()
        return self._files[file]

    def is_directory(self, place: Path) -> bool:
        """Whether there is a directory."""
        if place not in self._directories:
            self._directories[place] = place.is_dir()
        return self._directories[place]

    def listed(self, root: Path, most: int) -> tuple[Path, ...]:
        """The files below the directory, none where there are more than `most`."""
        if most not in self._listed:
            self._listed[most] = walked_files(root, most)
        return self._listed[most]
