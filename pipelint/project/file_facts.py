"""What can be told of files and directories without following them: what they hold, and what stands in them."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path

from pipelint.knowledge.configuration import SETTINGS_SUFFIXES
from pipelint.project.cache import digest
from pipelint.project.container_images import describes_image
from pipelint.project.spoken_versions import is_readme
from pipelint.source.discovery import SUFFIXES
from pipelint.source.errors import FileError
from pipelint.source.paths import leads_out
from pipelint.source.regular_files import LARGEST_NOTEBOOK, TooLarge, read_regular

Fact = tuple[list[int] | None, str | None]
"""The stamp of a file (size, times, inode), and what stands for its content; None for what cannot be read."""

_READ = (*SUFFIXES, *SETTINGS_SUFFIXES, ".toml", ".cfg", ".txt")
"""How the names of files end that an import, a setting or a requirement can lead to."""
_UNIMPORTANT = "__pycache__"
"""A directory that comes and goes by itself."""
_SECOND = 1_000_000_000
_TICK = 20_000_000
"""In nanoseconds, how late the clock of a file system may be."""


class FileFacts:
    """Facts of files and directories, each looked at once; a file that has its old stamp has its old content."""

    def __init__(self, known: Mapping[str, Fact] | None = None) -> None:
        self._known = known or {}
        self._files: dict[str, Fact] = {}
        self._directories: dict[str, tuple[int | None, str | None]] = {}
        self._exists: dict[Path, bool] = {}
        self._latest = 0

    def of_file(self, file: str, root: str | None = None) -> Fact:
        """What a file is; with `root`, one that leads out of that directory is not read, as no import reads it."""
        if file not in self._files:
            self._files[file] = self._look_at(file, root)
        return self._files[file]

    def content(self, file: str, root: str | None = None) -> str | None:
        """What stands for the content of a file, None if there is none to be read."""
        return self.of_file(file, root)[1]

    def _look_at(self, file: str, root: str | None) -> Fact:
        try:
            stamp = _stamp(file)
            self._note(*stamp[1:3])
            old = self._known.get(file)
            if old is not None and old[0] == stamp:
                return stamp, old[1]
            if root is not None and leads_out(Path(file), Path(root)):
                return stamp, ""
            return stamp, digest(read_regular(Path(file), LARGEST_NOTEBOOK))
        except TooLarge as error:
            return None, digest(error.head)
        except (OSError, FileError):
            return None, None

    def names(self, directory: str) -> str | None:
        """What stands for the names of directories and important files in a directory; None if there is none."""
        if directory not in self._directories:
            self._directories[directory] = self._list(directory)
        return self._directories[directory][1]

    def _list(self, directory: str) -> tuple[int | None, str | None]:
        try:
            changed = os.stat(directory).st_mtime_ns
            self._note(changed)
            with os.scandir(directory) as entries:
                names = sorted(
                    f"{entry.name}/" if entry.is_dir() else entry.name
                    for entry in entries
                    if (entry.name != _UNIMPORTANT if entry.is_dir() else _may_be_read(entry.name))
                )
        except OSError:
            return None, None
        return changed, digest("\0".join(names).encode("utf-8", "surrogateescape"))

    def around(self, places: Iterable[Path]) -> set[str]:
        """The directories whose names tell which of some places exist, and what they are."""
        found = set()
        for place in places:
            found.add(self._nearest(place.parent))
            if self._is_directory(place):
                found.add(place)
        return set(map(str, found))

    def _nearest(self, directory: Path) -> Path:
        while not self._is_directory(directory) and directory.parent != directory:
            directory = directory.parent
        return directory

    def _is_directory(self, place: Path) -> bool:
        if place not in self._exists:
            self._exists[place] = place.is_dir()
        return self._exists[place]

    def _note(self, *times: int) -> None:
        for time in times:
            # A file system that counts whole seconds may have missed a second change in one of them.
            self._latest = max(self._latest, time + (2 * _SECOND if time % _SECOND == 0 else _TICK))

    def are_settled(self, start: int) -> bool:
        """Whether nothing that was looked at was changed since a time: what was read after it is what there is."""
        if self._latest >= start:
            return False
        try:
            files = all(_stamp(file) == stamp for file, (stamp, _) in self._files.items() if stamp)
            return files and all(os.stat(place).st_mtime_ns == at for place, (at, _) in self._directories.items() if at)
        except OSError:
            return False


def _stamp(file: str) -> list[int]:
    state = os.stat(file)
    return [state.st_size, state.st_mtime_ns, state.st_ctime_ns, state.st_ino]


def _may_be_read(name: str) -> bool:
    return name.endswith(_READ) or describes_image(name) or is_readme(name)
