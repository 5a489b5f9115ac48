"""Where the names of imports lead inside one project."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from pipelint.knowledge.configuration import SETTINGS_SUFFIXES
from pipelint.knowledge.libraries import is_library
from pipelint.project.files_on_disk import FilesOnDisk
from pipelint.source.discovery import SUFFIXES, is_test_file
from pipelint.source.errors import FileError
from pipelint.source.files import load
from pipelint.source.paths import absolute, leads_out, spelled_below
from pipelint.source.regular_files import LARGEST_NOTEBOOK, read_regular, read_settings_text
from pipelint.source.unit import Unit

LARGEST_MODULE = 1_000_000
"""In bytes: longer modules are generated tables, which cost much and tell little."""

# They begin with their keyword, which Python finds faster than what may stand before it.
_FROM = re.compile(r"from\b[ \t]*([.\w]+)[ \t]*import\b[ \t]*(\((?:[^)#]|#[^\n]*)*\)|[^\n(]*)")
_IMPORT = re.compile(r"import[ \t]+([^\n#;]*)")
_BY_NAME = re.compile(r"\bimport_module\(\s*[\"']([.\w]+)")
_NAME = re.compile(r"\w+")
_DOTTED = re.compile(r"[\w.]+")
_COMMENT = re.compile(r"#[^\n]*")


class News(NamedTuple):
    """What was looked at in a project."""

    read: set[Path]
    """Files that were read, or could not be, and directories that are packages."""
    places: set[Path]
    """Where a module was looked for, without the end of its name, or the beginning of a package."""
    opened: set[Path]
    """Where files of settings were looked for."""
    listed: bool
    """Whether all files were asked for."""


class ModuleFiles:
    """The files below one directory that can be imported.

    `instead` has contents that count in place of theirs, None for files that count as missing, by paths without links.
    """

    def __init__(self, root: Path, instead: Mapping[Path, bytes | None], on_disk: FilesOnDisk | None = None) -> None:
        self.root = root
        self.on_disk = on_disk or FilesOnDisk()
        spelled = ((spelled_below(root, file), data) for file, data in instead.items())
        self._instead = {file: data for file, data in spelled if file is not None}
        self._more_directories = {
            place for file, data in self._instead.items() if data is not None for place in file.parents
        }
        self._units: dict[Path, Unit | None] = {}
        self._found: dict[Path, Path | None] = {}
        self._named: dict[tuple[Path, str], Path | None] = {}
        """What names lead to from the files of a directory, which import much the same."""
        self._begun: dict[tuple[Path, str], list[Path]] = {}
        self._searched: dict[Path, tuple[Path, ...]] = {}
        self._opened: set[Path] = set()
        self._was_listed = False
        self._told = 0, 0, 0

    def text(self, file: Path) -> str | None:
        """The text of a module, "" for a directory; None for one that cannot be read, and so is unknown."""
        unit = self.unit(file)
        return unit.text if unit is not None else None

    def unit(self, file: Path) -> Unit | None:
        """The text of a module with its places in the file; of a notebook, the program that its cells are."""
        if file not in self._units:
            self._units[file] = self._load(file)
        return self._units[file]

    def news(self) -> News:
        """What was looked at since this was asked for the last time."""
        searched = islice(self._searched, self._told[2], None)
        places = {place / "__init__.py" for directory in searched for place in self._upwards(directory)}
        places.update(islice(self._found, self._told[1], None))
        news = News(set(islice(self._units, self._told[0], None)), places, self._opened, self._was_listed)
        self._told = len(self._units), len(self._found), len(self._searched)
        self._opened = set()
        return news

    def listed(self, most: int) -> tuple[Path, ...]:
        """The modules and notebooks, sorted, without tests; none where there are more than `most`."""
        self._was_listed = True
        found = set(self.on_disk.listed(self.root, most))
        if found:
            found = {file for file in found.union(self._instead) if self._instead.get(file, b"") is not None}
        return tuple(sorted(file for file in found if file.suffix in SUFFIXES and not is_test_file(file)))

    def is_replaced(self, file: Path) -> bool:
        """Whether something stands in for a file."""
        return file in self._instead

    def _load(self, file: Path) -> Unit | None:
        return self._read(file) if file in self._instead else self.on_disk.unit(file, self._read)

    def _read(self, file: Path) -> Unit | None:
        try:
            if file not in self._instead and self._is_directory(file):
                return Unit(())
            most = LARGEST_NOTEBOOK if file.suffix == ".ipynb" else LARGEST_MODULE
            data = self._data(file, most)
            if data is None or len(data) > most:
                return None
            unit, *_ = load(file, data).units
        except (OSError, ValueError, FileError):
            return None
        return unit

    def _data(self, file: Path, most: int) -> bytes | None:
        if file in self._instead:
            return self._instead[file]
        return None if leads_out(file, self.root) else read_regular(file, most)

    def find(self, path: Path, name: str, level: int) -> Path | None:
        """The file, or the directory, that a name in an import of a file leads to; a level is that of dots."""
        parts = tuple(name.split(".")) if name else ()
        if level:
            return self._beside(path, parts, level)
        if not parts or is_library(parts[0]):
            return None
        key = (path.parent, name)
        if key not in self._named:
            self._named[key] = self._first_of(path.parent, parts)
        return self._named[key]

    def _first_of(self, directory: Path, parts: tuple[str, ...]) -> Path | None:
        places = (self._file_at(top.joinpath(*parts[1:])) for top in self._tops(directory, parts[0]))
        found = [file for file in places if file is not None]
        # A directory is a package only where no directory that Python searches has a file of that name.
        return next((file for file in found if file.suffix == ".py"), found[0] if found else None)

    def _tops(self, directory: Path, name: str) -> list[Path]:
        """Where the first part of a dotted name is found: most of the directories that Python may search lack it."""
        key = (directory, name)
        if key not in self._begun:
            places = (place / name for place in self._directories(directory))
            self._begun[key] = [place for place in places if self._file_at(place) is not None]
        return self._begun[key]

    def settings(self, path: Path, name: str) -> str | None:
        """The text of a file of settings that a file opens by a relative path: from the directories around it."""
        if not name.endswith(SETTINGS_SUFFIXES) or Path(name).is_absolute():
            return None
        for directory in (path.parent, *path.parent.parents):
            file = absolute(directory / name)
            if not directory.is_relative_to(self.root) or leads_out(file, self.root):
                return None
            self._opened.add(file)
            if file in self._instead:
                data = self._instead[file]
                return data.decode("utf-8-sig", "replace") if data is not None else None
            if file.is_file():
                return _settings_text(file)
        return None

    def imported_by(self, path: Path) -> Iterator[Path]:
        """The files that a file imports, wherever in it: a search for what looks like an import, and parses nothing."""
        for name, level in _imported_names(self.text(path) or ""):
            file = self.find(path, name, level)
            if file is not None and file != path:
                yield file

    def _beside(self, path: Path, parts: tuple[str, ...], level: int) -> Path | None:
        directory = path.parent
        for _ in range(level - 1):
            directory = directory.parent
        if not directory.is_relative_to(self.root):
            return None
        return self._file_at(directory.joinpath(*parts)) if parts or directory != self.root else None

    def _directories(self, directory: Path) -> tuple[Path, ...]:
        """Where Python may look: beside the top package of a file, in the directories around, then in its own."""
        if directory not in self._searched:
            around = self._upwards(directory)
            outside = [place for place in around if not self._is_file(place / "__init__.py")]
            inside = [place for place in around if place not in outside]
            self._searched[directory] = tuple(dict.fromkeys([*outside, self.root / "src", *inside]))
        return self._searched[directory]

    def _upwards(self, directory: Path) -> list[Path]:
        return [place for place in (directory, *directory.parents) if place.is_relative_to(self.root)]

    def _file_at(self, place: Path) -> Path | None:
        if place not in self._found:
            self._found[place] = self._look_at(place)
        return self._found[place]

    def _look_at(self, place: Path) -> Path | None:
        for file in (place / "__init__.py", place.with_name(f"{place.name}.py")):
            if self._is_file(file):
                return file
        return place if self._is_directory(place) else None

    def _is_file(self, file: Path) -> bool:
        return self._instead[file] is not None if file in self._instead else self.on_disk.is_file(file)

    def _is_directory(self, place: Path) -> bool:
        return place in self._more_directories or self.on_disk.is_directory(place)


def _settings_text(file: Path) -> str | None:
    try:
        return read_settings_text(file)
    except FileError:
        return None


def _imported_names(text: str) -> Iterator[tuple[str, int]]:
    """What import statements may name, with the dots before it; a name behind a `from` may be a module or not."""
    text = text.replace("\\\n", " ")
    for base, several in _statements(_FROM, text):
        module = base.lstrip(".")
        level = len(base) - len(module)
        yield module, level
        for name in _NAME.findall(_COMMENT.sub("", several)):
            yield f"{module}.{name}".lstrip("."), level
    for name in _BY_NAME.findall(text) if "import_module" in text else ():
        yield name.lstrip("."), len(name) - len(name.lstrip("."))
    for (several,) in _statements(_IMPORT, text):
        for name in _DOTTED.findall(several):
            # `import a.b` binds `a`.
            yield from ((name, 0), (name.partition(".")[0], 0))


def _statements(pattern: re.Pattern[str], text: str) -> Iterator[tuple[str, ...]]:
    """What a pattern finds where a statement may begin: in a line of its own, or behind a `;` or `:`."""
    at = end = 0
    while (found := pattern.search(text, at)) is not None:
        begin = found.start()
        while begin > end and text[begin - 1] in " \t":
            begin -= 1
        if begin == 0 or text[begin - 1] == "\n" or (begin > end and text[begin - 1] in ";:"):
            yield found.groups()
            at = end = found.end()
        else:
            at = found.start() + 1
