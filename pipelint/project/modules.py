"""The modules of one project as texts that can be followed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from pipelint.project.files_on_disk import FilesOnDisk
from pipelint.project.import_graph import ImportGraph
from pipelint.project.left_over_files import LeftOverFiles
from pipelint.project.module_files import ModuleFiles
from pipelint.source.address_space import AddressSpace
from pipelint.source.module_text import ModuleText


class Modules:
    """The modules below one directory, each read once; nothing outside of it is read."""

    def __init__(
        self,
        root: Path,
        space: AddressSpace,
        instead: Mapping[Path, bytes | None],
        on_disk: FilesOnDisk | None = None,
    ) -> None:
        self.root = root
        self._space = space
        self.files = ModuleFiles(root, instead, on_disk)
        self.graph = ImportGraph(self.files)
        self.left_over = LeftOverFiles(self.files, self.graph)
        self._read: dict[Path, ModuleText | None] = {}

    def with_files(self, space: AddressSpace, instead: Mapping[Path, bytes | None]) -> Modules:
        """The same modules with other contents of some files, to be followed in the same way."""
        other = Modules(self.root, space, instead, self.files.on_disk)
        other.graph.together = self.graph.together
        return other

    def importer(self, path: Path) -> FileImporter:
        """What a file of the project imports from the others."""
        return FileImporter(self, path)

    def module(self, file: Path, name: str = "") -> ModuleText | None:
        """A module as it is followed; None for one that cannot be read."""
        if file not in self._read:
            self._read[file] = self._placed(file, name or file.stem)
        return self._read[file]

    def _placed(self, file: Path, name: str) -> ModuleText | None:
        unit = self.files.unit(file)
        if unit is None:
            return None
        # A directory without `__init__.py` is a package as well.
        is_bare = not file.suffix
        path = file / "__init__.py" if is_bare else file
        first_line = self._space.add(path, unit, on_disk=not self.files.is_replaced(file)).first_line
        return ModuleText(name, unit.text, first_line, self.importer(path), path.name == "__init__.py", is_bare)


class FileImporter:
    """Finds what one file of a project imports, as Python does where the file is run or imported."""

    def __init__(self, modules: Modules, path: Path) -> None:
        self._modules = modules
        self._path = path

    @property
    def own(self) -> ModuleText | None:
        """The file itself, as others import it; nothing imports a notebook."""
        return self._modules.module(self._path) if self._path.suffix == ".py" else None

    def together(self) -> tuple[ModuleText, ...]:
        """The modules that are followed with the file as one program, those first that nobody imports."""
        found = map(self._modules.module, self._modules.graph.group(self._path))
        return tuple(module for module in found if module is not None)

    def importers(self) -> Iterator[ModuleText]:
        """The modules that import the file, the nearest first."""
        found = map(self._modules.module, self._modules.graph.importers_of(self._path))
        return (module for module in found if module is not None)

    def find(self, name: str, level: int) -> ModuleText | None:
        """The module with this name; of several directories that Python may search, the first that has it."""
        file = self._modules.files.find(self._path, name, level)
        return self._modules.module(file, name) if file is not None else None

    def settings(self, path: str) -> str | None:
        """The text of a file of settings, by the path with which the file opens it."""
        return self._modules.files.settings(self._path, path)
