"""Which files of a project import which: those that are followed as one program, and who imports a file."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from pipelint.project.module_files import ModuleFiles
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
        self._speaks: dict[Path, bool] = {}
        self._given: frozenset[Path] = frozenset()
        self._connected: dict[Path, frozenset[Path]] | None = None
        self.together: frozenset[Path] | None = None
        """The files that are followed with their groups; None where their number among all decides that."""

    def expect(self, given: Iterable[Path]) -> None:
        """Tell which files are going to be asked about."""
        self._given = frozenset(given)
        self._connected = None

    def group(self, path: Path) -> tuple[Path, ...]:
        """The files that a file is followed with as one program, those first that nobody imports.

        Empty where it stands alone, and where few of them are asked about: then it takes less time to follow each with
        what it imports and with those that import it.
        """
        if self.together is not None:
            return self.mates(path) if path in self.together else ()
        return self.mates(path) if self.follows_groups else ()

    @property
    def follows_groups(self) -> bool:
        """Whether so many files are asked about that they are followed in groups."""
        return len(self._given) > 1 and 2 * len(self._given) > len(self.files)

    def mates(self, file: Path) -> tuple[Path, ...]:
        """The group of a file, whether it is followed together or not."""
        return self._groups.get(file, ())

    def mostly_among(self, given: Iterable[Path]) -> Iterator[Path]:
        """Those of some files that are more than half of their group."""
        wanted = set(given)
        for file in wanted:
            group = self.mates(file)
            if 2 * len(wanted.intersection(group)) > len(group) > 0:
                yield file

    def neighbours(self, file: Path) -> Iterable[Path]:
        """The files that a file imports, and those that import it."""
        import networkx as nx  # slow to load, and a file that is asked about alone needs none

        return nx.all_neighbors(self._graph, file) if file in self._graph else ()

    def holds(self, file: Path) -> bool:
        """Whether a file is one that others may import."""
        return file in self._graph

    def reached_from(self, *files: Path) -> Iterator[Path]:
        """Some files, those that they import, those that these import, and so on."""
        seen, pending = set(files), list(files)
        while pending:
            file = pending.pop()
            yield file
            new = self.imports_of(file) - seen
            seen |= new
            pending += new

    def importers_of(self, path: Path) -> Iterator[Path]:
        """The files that import a file, then those that import these; nothing imports a notebook."""
        seen, layer = {path}, [path] if path.suffix == ".py" else []
        while layer:
            # Whoever imports a file has its name in the text, and that is searched faster than for imports.
            words = {file: file.parent.name if file.name == "__init__.py" else file.stem for file in layer}
            layer = [file for file in self.files if file not in seen and self._imports_one(file, words)]
            seen.update(layer)
            yield from layer

    def dependencies(self, group: Iterable[Path], most_importers: int) -> set[Path]:
        """All that files which are followed together, or one of them alone, can be judged by.

        These are the files themselves, the nearest of those that import each, and what they all import.
        """
        files = list(group)
        nearest = (file for own in files for file in islice(self._nearest_importers(own), most_importers))
        return set(self.reached_from(*dict.fromkeys([*files, *nearest])))

    def _nearest_importers(self, path: Path) -> Iterator[Path]:
        """The same as `importers_of`, where the imports of all files are known."""
        seen, layer = {path}, [path] if path.suffix == ".py" else []
        while layer:
            layer = sorted({file for known in layer for file in self._importing.get(known, ())} - seen)
            seen.update(layer)
            yield from layer

    @cached_property
    def _importing(self) -> dict[Path, list[Path]]:
        importing: dict[Path, list[Path]] = {}
        for file in self.files:
            for known in self.imports_of(file):
                importing.setdefault(known, []).append(file)
        return importing

    def matters(self, path: Path) -> bool:
        """Whether a file, one that it imports, or one that it is followed with has a word of TensorFlow or Keras."""
        return any(map(self._has_words, self.group(path))) or any(map(self._has_words, self.reached_from(path)))

    def _has_words(self, file: Path) -> bool:
        if file not in self._speaks:
            self._speaks[file] = may_matter(self._modules.text(file) or "")
        return self._speaks[file]

    def says_one_of(self, path: Path, words: Collection[str]) -> bool:
        """Whether a file, or one that it imports, has one of these words."""
        texts = (self._modules.text(file) or "" for file in self.reached_from(path))
        return any(word in text for text in texts for word in words)

    def connected(self, path: Path) -> frozenset[Path]:
        """The files to be asked about that imports connect a file with, over others too; itself where there is none."""
        if self._connected is None:
            self._connected = self._components()
        return self._connected.get(path, frozenset({path}))

    def _components(self) -> dict[Path, frozenset[Path]]:
        import networkx as nx  # slow to load, and only files that are fixed ask

        graph: nx.Graph[Path] = nx.Graph()
        reached = self.reached_from(*self._given)
        graph.add_edges_from((file, known) for file in reached for known in self.imports_of(file))
        components = (self._given.intersection(component) for component in nx.connected_components(graph))
        return {file: component for component in components for file in component}

    def imports_of(self, file: Path) -> frozenset[Path]:
        """The files that a file imports."""
        if file not in self._imported:
            self._imported[file] = frozenset(self._modules.imported_by(file))
        return self._imported[file]

    @property
    def known(self) -> dict[Path, frozenset[Path]]:
        """The files that each file imports, as far as that is known; who knows it otherwise may add to it."""
        return self._imported

    def _imports_one(self, file: Path, words: Mapping[Path, str]) -> bool:
        text = self._modules.text(file) or ""
        return any(word in text and known in self.imports_of(file) for known, word in words.items())

    @cached_property
    def files(self) -> tuple[Path, ...]:
        """The modules and notebooks of the project, sorted; none of a larger directory than one project is."""
        return self._modules.listed(MOST_FILES)

    @cached_property
    def _graph(self) -> nx.DiGraph[Path]:
        import networkx as nx  # as above

        graph: nx.DiGraph[Path] = nx.DiGraph()
        graph.add_nodes_from(self.files)
        graph.add_edges_from((file, known) for file in self.files for known in self.imports_of(file))
        return graph

    @cached_property
    def _groups(self) -> dict[Path, tuple[Path, ...]]:
        import networkx as nx  # as above

        groups: dict[Path, tuple[Path, ...]] = {}
        for component in nx.weakly_connected_components(self._graph):
            for files in _parts(sorted(component), len(self._modules.root.parts)):
                if len(files) > 1:
                    groups.update(dict.fromkeys(files, tuple(_importers_first(self._graph.subgraph(files)))))
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
