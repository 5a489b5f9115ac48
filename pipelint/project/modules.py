"""The modules of one project: where the names of imports lead, and the trees of what they name."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property
from itertools import islice
from pathlib import Path

from pipelint.knowledge.libraries import is_library
from pipelint.source.address_space import AddressSpace
from pipelint.source.discovery import discover, is_test_file
from pipelint.source.errors import FileError
from pipelint.source.files import load
from pipelint.source.module_text import ModuleText
from pipelint.source.paths import absolute

_FROM = re.compile(r"^[ \t]*from[ \t]+([.\w]+)[ \t]+import[ \t]*(\([^)]*\)|[^\n(]*)", re.MULTILINE)
_IMPORT = re.compile(r"^[ \t]*import[ \t]+([^\n#;]*)", re.MULTILINE)
_NAME = re.compile(r"\w+")
_DOTTED = re.compile(r"[\w.]+")
_COMMENT = re.compile(r"#[^\n]*")

LARGEST_MODULE = 1_000_000
"""In bytes: longer modules are generated tables, which cost much and tell little."""

MOST_TOGETHER = 200
"""How many modules are followed as one program: beyond, each is followed with what it imports and who imports it."""
MOST_FILES = 5000
"""How many files are searched for those that import another: a larger directory is no one project."""


class Modules:
    """The modules below one directory, each read once."""

    def __init__(self, root: Path) -> None:
        self._root = absolute(root)
        self.space = AddressSpace()
        self._read: dict[Path, ModuleText | None] = {}
        self._kinds: dict[Path, Path | None] = {}
        self._sources: dict[Path, str] = {}
        self._imported: dict[Path, frozenset[Path]] = {}

    def importer(self, path: Path) -> FileImporter:
        """What a file of the project imports from the others."""
        return FileImporter(self, absolute(path))

    @property
    def root(self) -> Path:
        """The directory that nothing is read outside of."""
        return self._root

    def file_at(self, directory: Path, parts: tuple[str, ...]) -> Path | None:
        """The file of the module, or of the package, that these names lead to from a directory."""
        place = directory.joinpath(*parts)
        if place not in self._kinds:
            self._kinds[place] = _file_of(place)
        return self._kinds[place]

    def module(self, file: Path, name: str) -> ModuleText | None:
        """A module as it is read."""

        if file not in self._read:
            self._read[file] = self._text(file, name)
        return self._read[file]

    def _text(self, file: Path, name: str) -> ModuleText | None:
        """The text of a module; None for one that cannot be read, and so is as unknown as a library."""
        if file.is_dir():
            return self._placed(file / "__init__.py", name, "")
        try:
            if file.stat().st_size > LARGEST_MODULE:
                return None
            (unit,) = load(file).units
        except (OSError, FileError):
            return None
        return self._placed(file, name, unit.text)

    def _placed(self, file: Path, name: str, text: str) -> ModuleText:
        place = self.space.add(file, text)
        return ModuleText(name, text, place.first_line, self.importer(file), file.name == "__init__.py")

    def files(self) -> tuple[Path, ...]:
        """The Python files of the project, without its tests: what those do with a pipeline is not how it is used."""
        return self._files

    @cached_property
    def _files(self) -> tuple[Path, ...]:
        found = (item for item in discover([self._root], self._root) if isinstance(item, Path))
        scripts = (path for path in found if path.suffix == ".py" and not is_test_file(path))
        return tuple(absolute(path) for path in islice(scripts, MOST_FILES))

    def importers_of(self, path: Path) -> Iterator[ModuleText]:
        """The modules that import a file, the nearest first, then those that import these."""
        for files in self._layers_of_importers(path):
            yield from (module for file in files if (module := self.module(file, file.stem)) is not None)

    def _layers_of_importers(self, path: Path) -> Iterator[list[Path]]:
        seen, layer = {path}, [path]
        while layer:
            layer = [
                file
                for file in self._files
                if file not in seen and any(known in self._imports_of(file, _word(known)) for known in layer)
            ]
            seen.update(layer)
            yield layer

    def connected(self, path: Path) -> tuple[ModuleText, ...]:
        """The modules that a file is connected with by imports, those first that nobody imports.

        None where it stands alone, and where there are too many to be followed together.
        """
        return self._components.get(absolute(path), ())

    @cached_property
    def _components(self) -> dict[Path, tuple[ModuleText, ...]]:
        import networkx as nx  # slow to load, and a file that stands alone needs none

        graph = nx.DiGraph()
        graph.add_nodes_from(self._files)
        graph.add_edges_from((file, known) for file in self._files for known in self._imports_of(file) if known != file)
        components: dict[Path, tuple[ModuleText, ...]] = {}
        for files in nx.weakly_connected_components(graph):
            if not 1 < len(files) <= MOST_TOGETHER:
                continue
            circles = nx.condensation(graph.subgraph(files))
            order = (
                file for circle in nx.topological_sort(circles) for file in sorted(circles.nodes[circle]["members"])
            )
            modules = tuple(module for file in order if (module := self.module(file, file.stem)) is not None)
            components.update(dict.fromkeys(files, modules))
        return components

    def _imports_of(self, file: Path, word: str = "") -> frozenset[Path]:
        """The files that a file imports, if it has the word at all."""
        if file not in self._sources:
            self._sources[file] = _read(file)
        if word not in self._sources[file]:
            return frozenset()
        if file not in self._imported:
            self._imported[file] = frozenset(self.importer(file).imported(self._sources[file]))
        return self._imported[file]


class FileImporter:
    """Finds what one file of a project imports, as Python does where the file is run or imported."""

    def __init__(self, modules: Modules, path: Path) -> None:
        self._modules = modules
        self._path = path

    @property
    def own(self) -> ModuleText | None:
        """The file itself, as others import it."""
        return self._modules.module(self._path, self._path.stem) if self._path.suffix == ".py" else None

    def importers(self) -> Iterator[ModuleText]:
        """The modules that import the file, the nearest first."""
        return self._modules.importers_of(self._path)

    def find(self, name: str, level: int) -> ModuleText | None:
        """The module with this name; of several directories that Python may search, the first that has it."""
        file = self._file(name, level)
        return self._modules.module(file, name) if file is not None else None

    def imported(self, text: str) -> Iterator[Path]:
        """The files that the file imports, with this text."""
        for name, level in _imported_names(text):
            file = self._file(name, level)
            if file is not None:
                yield file

    def _file(self, name: str, level: int) -> Path | None:
        parts = tuple(name.split(".")) if name else ()
        if level:
            return self._beside(parts, level)
        if not parts or is_library(parts[0]):
            return None
        found = (self._modules.file_at(directory, parts) for directory in self._searched)
        return next((file for file in found if file is not None), None)

    def _beside(self, parts: tuple[str, ...], level: int) -> Path | None:
        directory = self._path.parent
        for _ in range(level - 1):
            directory = directory.parent
        if not directory.is_relative_to(self._modules.root):
            return None
        if parts:
            return self._modules.file_at(directory, parts)
        return self._modules.file_at(directory.parent, (directory.name,)) if directory != self._modules.root else None

    @cached_property
    def _searched(self) -> tuple[Path, ...]:
        """Where Python may look: beside the top package of the file, in the directories around, then in its own."""
        root = self._modules.root
        around = [directory for directory in self._path.parents if directory.is_relative_to(root)]
        outside = [directory for directory in around if not (directory / "__init__.py").is_file()]
        inside = [directory for directory in around if directory not in outside]
        return tuple(dict.fromkeys([*outside, root / "src", *inside]))


def _imported_names(text: str) -> Iterator[tuple[str, int]]:
    """What import statements may name, with the dots before it; a name behind a `from` may be a module or not."""
    for base, several in _FROM.findall(text):
        module = base.lstrip(".")
        level = len(base) - len(module)
        yield module, level
        for name in _NAME.findall(_COMMENT.sub("", several)):
            yield f"{module}.{name}".lstrip("."), level
    for several in _IMPORT.findall(text):
        yield from ((name, 0) for name in _DOTTED.findall(several))


def _word(path: Path) -> str:
    """A word that whoever imports a file has in its text."""
    return path.parent.name if path.name == "__init__.py" else path.stem


def _read(path: Path) -> str:
    try:
        return path.read_bytes().decode("utf-8", "replace") if path.stat().st_size <= LARGEST_MODULE else ""
    except OSError:
        return ""


def _file_of(place: Path) -> Path | None:
    package, module = place / "__init__.py", place.with_name(f"{place.name}.py")
    if package.is_file():
        return package
    if module.is_file():
        return module
    return place if place.is_dir() else None
