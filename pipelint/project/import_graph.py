"""Which files of a project import which: those that are followed as one program, and who imports a file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from pipelint.project.module_files import ModuleFiles
from pipelint.source.discovery import is_test_file, walked_files
from pipelint.source.relevance import may_matter

if TYPE_CHECKING:
    import networkx as nx

MOST_TOGETHER = 200
"""How many files are followed as one program; of more, those of one directory, with what they import from elsewhere."""
MOST_FILES = 5000
"""How many files are searched for those that import another: a larger directory is no one project."""


class ImportGraph:
    """The imports between the files of a project, without its tests: those do not show how a pipeline is used."""

    def __init__(self, files: ModuleFiles) -> None:
        self._modules = files
        self._imported: dict[Path, frozenset[Path]] = {}
        self._matters: dict[Path, bool] = {}
        self._given: frozenset[Path] = frozenset()
        self._connected: dict[Path, frozenset[Path]] | None = None

    def expect(self, given: Iterable[Path]) -> None:
        """Tell which files are going to be asked about."""
        self._given = frozenset(given)
        self._connected = None

    def group(self, path: Path) -> tuple[Path, ...]:
        """The files that a file is followed with as one program, those first that nobody imports.

        Empty where it stands alone, and where few of them are asked about: then it takes less time to follow each with
        what it imports and with those that import it.
        """
        if len(self._given) < 2 or 2 * len(self._given) <= len(self._files):
            return ()
        return self._groups.get(path, ())

    def importers_of(self, path: Path) -> Iterator[Path]:
        """The files that import a file, then those that import these; nothing imports a notebook."""
        seen, layer = {path}, [path] if path.suffix == ".py" else []
        while layer:
            # Whoever imports a file has its name in the text, and that is searched faster than for imports.
            words = {file: file.parent.name if file.name == "__init__.py" else file.stem for file in layer}
            layer = [file for file in self._files if file not in seen and self._imports_one(file, words)]
            seen.update(layer)
            yield from layer

    def matters(self, path: Path) -> bool:
        """Whether a file, or one that it imports, has a word of TensorFlow or Keras."""
        seen, pending = {path}, [path]
        while pending:
            file = pending.pop()
            if self._matters.get(file) or may_matter(self._modules.text(file) or ""):
                self._matters[path] = True
                return True
            new = self.imports_of(file) - seen
            seen |= new
            pending += new
        return False

    def connected(self, path: Path) -> frozenset[Path]:
        """The files to be asked about that imports connect a file with, over others too; itself where there is none."""
        if self._connected is None:
            self._connected = self._components()
        return self._connected.get(path, frozenset({path}))

    def _components(self) -> dict[Path, frozenset[Path]]:
        import networkx as nx  # slow to load, and only files that are fixed ask

        graph: nx.Graph[Path] = nx.Graph()
        graph.add_edges_from((file, other) for file in self._given for other in self._reach(file) & self._given)
        components = map(frozenset, nx.connected_components(graph))
        return {file: component for component in components for file in component}

    def _reach(self, path: Path) -> frozenset[Path]:
        """A file, and those that it imports, and that these import."""
        seen, pending = {path}, [path]
        while pending:
            new = self.imports_of(pending.pop()) - seen
            seen |= new
            pending += new
        return frozenset(seen)

    def imports_of(self, file: Path) -> frozenset[Path]:
        """The files that a file imports."""
        if file not in self._imported:
            self._imported[file] = frozenset(self._modules.imported_by(file))
        return self._imported[file]

    def _imports_one(self, file: Path, words: Mapping[Path, str]) -> bool:
        text = self._modules.text(file) or ""
        return any(word in text and known in self.imports_of(file) for known, word in words.items())

    @cached_property
    def _files(self) -> tuple[Path, ...]:
        files = walked_files(self._modules.root, MOST_FILES)
        return tuple(file for file in files if not is_test_file(file))

    @cached_property
    def _groups(self) -> dict[Path, tuple[Path, ...]]:
        import networkx as nx  # slow to load, and a file that is asked about alone needs none

        graph = nx.DiGraph()
        graph.add_nodes_from(self._files)
        graph.add_edges_from((file, known) for file in self._files for known in self.imports_of(file))
        groups: dict[Path, tuple[Path, ...]] = {}
        for component in nx.weakly_connected_components(graph):
            for files in _parts(sorted(component), len(self._modules.root.parts)):
                if len(files) > 1:
                    groups.update(dict.fromkeys(files, tuple(_importers_first(graph.subgraph(files)))))
        return groups


def _parts(files: list[Path], depth: int) -> Iterator[list[Path]]:
    """Files that are few enough to be followed together: of too many, those of each directory."""
    if len(files) <= MOST_TOGETHER:
        yield files
        return
    below: dict[str, list[Path]] = {}
    for file in files:
        below.setdefault(file.parts[depth] if len(file.parts) > depth + 1 else "", []).append(file)
    own = below.pop("", [])
    yield from (own[start : start + MOST_TOGETHER] for start in range(0, len(own), MOST_TOGETHER))
    for inner in below.values():
        yield from _parts(inner, depth + 1)


def _importers_first(graph: nx.DiGraph[Path]) -> Iterator[Path]:
    import networkx as nx  # as above

    members = nx.get_node_attributes(circles := nx.condensation(graph), "members")
    for circle in nx.lexicographical_topological_sort(circles, key=lambda circle: min(members[circle])):
        yield from sorted(members[circle])
