"""What is new since a revision: the findings that the merge base lacked, and those on lines that changed.

A change in one file may be seen in another: those that imports connect with a changed one are looked at as well.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence
from pathlib import Path

from pipelint.lint.apply_rules import DocumentFindings, UnitFinding, apply_rules
from pipelint.lint.changed_files import ChangedFiles
from pipelint.model.grades import Severity
from pipelint.project.import_graph import ImportGraph
from pipelint.project.modules import Modules
from pipelint.project.projects import Project
from pipelint.source.alignment import Alignment
from pipelint.source.document import Document
from pipelint.source.errors import FileError
from pipelint.source.files import load
from pipelint.source.lines import Position
from pipelint.source.paths import absolute, spelled_below
from pipelint.source.unit import Unit
from pipelint.static.parse import CannotParse, parse

MOST_BEYOND = 12
"""How many files are looked at that imports connect with a changed one and that are not followed together with it, the
nearest first: each takes about as long as a changed file itself."""


class Since:
    """The files that changes since a revision can be seen in, and what was found in them before."""

    def __init__(self, changed: ChangedFiles) -> None:
        self._changed = changed
        self._former: dict[Project, Project] = {}

    def reach(self, project: Project, paths: Iterable[Path]) -> set[Path]:
        """Those of some files of a project that changed, or are connected with others that did."""
        by_modules: dict[Modules, list[Path]] = {}
        for path in paths:
            by_modules.setdefault(project.modules(absolute(path)), []).append(path)
        reached = {path for modules, given in by_modules.items() for path in self._reach(project, modules, given)}
        project.expect(reached)
        return reached

    def _reach(self, project: Project, modules: Modules, given: Sequence[Path]) -> Iterable[Path]:
        touched = {path for path in given if self._changed.touch(path)}
        if len(given) == len(touched) == 1:
            return touched
        former = self._then(project).modules(absolute(given[0]))
        spelled = (spelled_below(modules.root, file) for file in self._changed.modules)
        changed = {file for file in spelled if file and not _is_same(former.files.text(file), modules.files.text(file))}
        now, then = graphs = (modules.graph, former.graph)
        # What was followed in another way might be found for that alone.
        now.together = then.together = frozenset()
        if not changed:
            return touched
        near = _connected(changed, graphs)
        others = (path for path in given if path not in touched)
        reached = touched.union(
            path for path in others if absolute(path) in near or _reads(absolute(path), changed, graphs)
        )
        now.together = frozenset(now.mostly_among(map(absolute, reached)))
        then.together = frozenset(self._place_then(modules, file) for file in now.together)
        return reached

    def known(self, project: Project, found: DocumentFindings) -> set[int]:
        """The indices of the findings that are not new; raises FileError where the former file is not at hand."""
        base = self._document_then(project, found.document)
        if base is None:
            return set()
        alignment = Alignment(base, found.document)
        before: dict[tuple[str, Position], Severity] = {}
        for item in apply_rules(self._then(project), base, ruled_as=found.document.path).findings:
            before[item.finding.code, _places(base.units[item.unit], item)[0]] = item.finding.severity
        known = set()
        for index, item in enumerate(found.findings):
            places = _places(found.document.units[item.unit], item)
            origins = [alignment.origin(place) for place in places]
            severity = before.get((item.finding.code, origins[0])) if origins[0] else None
            # What was advice and has become a warning is new.
            if None not in origins and severity and severity.weight >= item.finding.severity.weight:
                known.add(index)
        return known

    def _then(self, project: Project) -> Project:
        """The project with all its files as they were, and the settings of today."""
        if project not in self._former:
            self._former[project] = project.with_files(self._changed.modules)
        return self._former[project]

    def _document_then(self, project: Project, document: Document) -> Document | None:
        """A file as it was, where it was; None if it was not there or was no source."""
        path = document.path
        if not self._changed.touch(path):
            return document
        data = self._changed.former_data(path)
        if data is None:
            return None
        try:
            return load(self._place_then(project.modules(absolute(path)), path), data)
        except FileError:
            return None

    def _place_then(self, modules: Modules, path: Path) -> Path:
        former, now = self._changed.former_path(path), self._changed.path(path)
        if former is None or former == now:
            return path
        return spelled_below(modules.root, former) or former


def _is_same(before: str | None, now: str | None) -> bool:
    """Whether two texts are the same program but for comments and layout, which nobody sees from another file."""
    if before is None or now is None:
        return before is now
    try:
        return ast.dump(parse(before)) == ast.dump(parse(now))
    except (CannotParse, RecursionError):
        return False


def _connected(changed: Iterable[Path], graphs: Sequence[ImportGraph]) -> set[Path]:
    """The files that imports, now or then, connect with changed ones, as far as they are looked at."""
    together = {mate for file in changed for graph in graphs for mate in graph.mates(file)}
    seen, layer = set(changed), sorted(changed)
    beyond: list[Path] = []
    while layer and len(beyond) < MOST_BEYOND:
        layer = sorted({next_to for file in layer for graph in graphs for next_to in graph.neighbours(file)} - seen)
        seen.update(layer)
        beyond += (file for file in layer if file not in together)
    return together.union(beyond[:MOST_BEYOND])


def _reads(path: Path, changed: set[Path], graphs: Sequence[ImportGraph]) -> bool:
    """Whether a file that the graph leaves out, such as a test, depends on a changed one."""
    return any(not graph.holds(path) and not changed.isdisjoint(graph.reached_from(path)) for graph in graphs)


def _places(unit: Unit, item: UnitFinding) -> list[Position]:
    """Where a finding begins, and a place in each further line that it covers."""
    region = item.finding.region
    first, last = unit.lines.number(region.start), unit.lines.number(max(region.start, region.end - 1))
    return [unit.place(region.start), *(unit.place(unit.lines.start(line)) for line in range(first + 1, last + 1))]
