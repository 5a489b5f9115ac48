"""What earlier runs found, where nothing that it depends on has changed since.

A run like an earlier one, on files and directories that are as they were, has the same results: that takes a look at
each of them, and nothing is followed. Where something has changed, and files are followed in groups, those groups have
their old results from which no import leads to the change.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from pipelint.lint.check_batch import Batch, Checked
from pipelint.lint.plain_results import from_plain, to_plain
from pipelint.lint.results import FileResult
from pipelint.lint.task import Mode, Task
from pipelint.project.cache import Cache, digest
from pipelint.project.container_images import describes_image
from pipelint.project.file_facts import FileFacts
from pipelint.project.import_graph import MOST_FILES
from pipelint.project.local_rules import LocalRules
from pipelint.project.module_files import News
from pipelint.project.modules import Modules
from pipelint.project.projects import Project
from pipelint.project.requirements import (
    may_require,
    named_by_project,
    newest_for_its_python,
    required_by_project,
)
from pipelint.project.settings import Settings
from pipelint.project.spoken_versions import is_readme
from pipelint.source.discovery import project_root
from pipelint.source.errors import FileError
from pipelint.source.paths import absolute, shown_path
from pipelint.version import __version__

_FORMAT = 2
"""Of what is kept: what was kept in another one is never found."""
_NOT_OURS = (ValueError, TypeError, KeyError, IndexError, AttributeError)
"""What comes of values that no run has kept."""
_INSTALLED = Path(__file__).parents[1]


class Memory:
    """What is remembered of the files of one run, and what will be; raises OSError where local rules are gone."""

    def __init__(self, cache: Cache, files: Sequence[tuple[Path, Project]], task: Task) -> None:
        self._cache = cache
        self._started = time.time_ns()
        self._files = [(absolute(path), project) for path, project in files]
        self._is_report = task.only_tells
        # A run that writes has nothing to do where one that reports finds nothing.
        mode = task.mode if self._is_report else Mode.REPORT
        self._about = {
            project: _key(mode.value, _circumstances(project)) for project in {project for _, project in files}
        }
        self._root = {path: str(project.modules(path).root) for path, project in self._files}
        self._key = _key("run", [(str(path), self._root[path], self._about[project]) for path, project in self._files])
        self._facts = FileFacts()
        self._looked = {root: _Looked() for root in self._root.values()}
        self._directories: set[str] = set()
        self._keys: dict[Batch, str] = {}
        self._around: dict[Batch, set[str]] = {}
        self._requirements: dict[Path, object] = {}
        self._new: dict[str, Any] = {}
        self._is_whole = True

    def whole_run(self) -> list[FileResult] | None:
        """The results of all files, in their order, if nothing has changed."""
        try:
            kept = self._cache.get([self._key]).get(self._key)
            results = None if kept is None else self._recalled(kept)
        except _NOT_OURS:
            return None
        if results is None or self._is_report or not any(map(_is_more_than_clean, results)):
            return results
        return None

    def _recalled(self, kept: Any) -> list[FileResult] | None:
        own = [str(path) for path, _ in self._files]
        known = dict(zip(own, kept["own"], strict=True))
        for root, read in kept["read"].items():
            # Nothing is looked at outside of the projects, whatever the cache says.
            if root not in self._looked or not all(_is_below(path, root) for path in read):
                return None
            known.update(read)
        facts = self._facts = FileFacts(known)
        if any(facts.names(directory) != names for directory, names in kept["directories"].items()):
            return None
        if any(self._listing(root) != listing for root, listing in kept["listings"].items()):
            return None
        changed = {path for path in own if facts.content(path) != known[path][1]}
        for root, read in kept["read"].items():
            changed.update(path for path in read if facts.content(path, root) != read[path][1])
        if changed:
            self._take_over(kept, changed)
            return None
        results = [from_plain(result) for result in kept["results"]]
        return results if all(map(_leads_to, results, own, [known] * len(own))) else None

    def _take_over(self, kept: Any, changed: Collection[str]) -> None:
        """Know what files import that have not changed, where no other ones came or went."""
        self._directories.update(kept["directories"])
        for root, read in kept["read"].items():
            files = [Path(file) for file in read]
            self._looked[root].read.update(files)
            self._modules(root).graph.known.update(
                (file, frozenset(files[index] for index in indices))
                for file, indices in zip(files, kept["imports"][root], strict=True)
                if indices is not None and str(file) not in changed
            )

    def batches(self, batches: Iterable[Batch]) -> dict[Batch, Checked]:
        """Those of some batches that no change can be seen in, with their results."""
        keys = {batch: key for batch in batches if (key := self._key_of(batch))} if self._is_report else {}
        self._keys.update(keys)
        kept = self._cache.get(list(keys.values()))
        recalled: dict[Batch, Checked] = {}
        for batch, key in keys.items():
            try:
                if key in kept and (results := self._results(batch, kept[key])) is not None:
                    recalled[batch] = Checked(tuple(results))
            except _NOT_OURS:
                continue
        return recalled

    def _results(self, batch: Batch, kept: Any) -> list[FileResult] | None:
        root = self._root[absolute(batch.files[0])]
        opened = kept["opened"]
        if not all(_is_below(path, root) and self._facts.content(path, root) == opened[path] for path in opened):
            return None
        self._looked[root].opened.update(map(Path, opened))
        results = [from_plain(result) for result in kept["results"]]
        own = (str(absolute(path)) for path in batch.files)
        around = [self._around[batch]] * len(results)
        return results if all(map(_leads_to, results, own, around)) else None

    def _key_of(self, batch: Batch) -> str | None:
        """What stands for all that the results of a batch depend on, save the settings that its programs open."""
        from pipelint.static.abstract.work import MOST_IMPORTERS  # the interpreter is large

        files = [absolute(path) for path in batch.files]
        modules, root = batch.project.modules(files[0]), self._root[files[0]]
        if not modules.graph.follows_groups:
            return None
        group = modules.graph.group(files[0])
        around = sorted(modules.graph.dependencies(group or files, MOST_IMPORTERS))
        self._around[batch] = set(map(str, around))
        contents = [(str(file), self._facts.content(str(file), root), batch.project.expects(file)) for file in around]
        try:
            required = [self._required(file.parent) for file in files] if _asks_requirements(batch.project) else []
        except FileError:
            return None
        names = [[str(file) for file in some] for some in (files, group)]
        return _key("batch", self._about[batch.project], root, names, contents, required)

    def _required(self, directory: Path) -> object:
        if directory not in self._requirements:
            self._requirements[directory] = (
                required_by_project(directory),
                named_by_project(directory),
                newest_for_its_python(directory),
            )
        return self._requirements[directory]

    def note(self, batch: Batch, checked: Checked) -> None:
        """Take up what became of a batch."""
        if checked.news is None or checked.unreadable or not all(map(_is_lasting, checked.results)):
            self._is_whole = False
            return
        self._look(checked.news)
        root = self._root[absolute(batch.files[0])]
        if key := self._keys.get(batch):
            opened = {str(file) for news in checked.news.values() for file in news.opened}
            self._new[key] = {
                "opened": {file: self._facts.content(file, root) for file in opened},
                "results": [to_plain(result) for result in checked.results],
            }

    def _look(self, news: Mapping[Path, News]) -> None:
        for root, item in news.items():
            looked = self._looked[str(root)]
            looked.read |= item.read
            looked.places |= item.places
            looked.opened |= item.opened
            looked.is_listed |= item.listed

    def keep(self, results: Sequence[FileResult]) -> None:
        """Remember the run, whose results are given in the order of its files, and what is new of its batches.

        What was changed since the run began may have been read before or after: that is left for the next one.
        """
        new = dict(self._new) if self._facts.are_settled(self._started) else {}
        if self._is_whole and (self._is_report or not any(map(_is_more_than_clean, results))):
            for project in self._about:
                self._look(project.news())
            record = self._record(results)
            if self._facts.are_settled(self._started):
                new[self._key] = record
        if new:
            self._cache.put(new)

    def _record(self, results: Sequence[FileResult]) -> dict[str, Any]:
        facts, read, imports = self._facts, {}, {}
        for root, looked in self._looked.items():
            requirements = _requirement_places(path.parent for path in self._root if self._root[path] == root)
            self._directories |= facts.around({*looked.places, *looked.opened, *requirements})
            files = sorted({*looked.read, *looked.opened, *requirements})
            read[root] = {str(file): facts.of_file(str(file), root) for file in files}
            imports[root] = _indexed(files, self._modules(root).graph.known)
        return {
            "own": [facts.of_file(str(path)) for path, _ in self._files],
            "read": read,
            "imports": imports,
            "directories": {directory: facts.names(directory) for directory in sorted(self._directories)},
            "listings": {root: self._listing(root) for root, looked in self._looked.items() if looked.is_listed},
            "results": [to_plain(result) for result in results],
        }

    def _listing(self, root: str) -> str:
        return _key(list(map(str, self._modules(root).files.listed(MOST_FILES))))

    def _modules(self, root: str) -> Modules:
        return next(project.modules(path) for path, project in self._files if self._root[path] == root)


@dataclass
class _Looked:
    """What was looked at below one directory."""

    read: set[Path] = field(default_factory=set)
    places: set[Path] = field(default_factory=set)
    opened: set[Path] = field(default_factory=set)
    is_listed: bool = False


def _indexed(files: Sequence[Path], imports: Mapping[Path, frozenset[Path]]) -> list[list[int] | None]:
    """What each of some files imports, by places in their list; None where that is unknown, or another file."""
    index = {file: place for place, file in enumerate(files)}
    return [
        sorted(index[other] for other in imports[file]) if file in imports and imports[file] <= index.keys() else None
        for file in files
    ]


def _circumstances(project: Project) -> list[object]:
    """What decides over the findings in a project besides its programs."""
    settings, registry = project.settings, project.registry
    local = LocalRules.of(settings) if project.has_all_rules else None
    baseline = project.baseline
    return [
        [
            _FORMAT,
            __version__,
            sys.version,
            _installed(str(_INSTALLED)),
            [_installed(str(pack)) for pack in registry.packs],
        ],
        [local.fingerprint if local else None, project.has_all_rules],
        [str(settings.root), _asked(project), os.getcwd()],
        [str(baseline), FileFacts().content(str(baseline)) if baseline else None],
    ]


def _asked(project: Project) -> list[object]:
    """What the settings and the command line ask for, save which files to check and what to show of the findings."""
    usual = Settings()
    settings = replace(
        project.settings,
        exclude=usual.exclude,
        extend_exclude=usual.extend_exclude,
        fail_on=usual.fail_on,
        min_severity=usual.min_severity,
        output_format=usual.output_format,
        editor_url=usual.editor_url,
    )
    # What is given as KEY=VALUE is in the settings.
    overrides = replace(project.overrides, exclude=None, extend_exclude=(), fail_on=None, min_severity=None, given=())
    return [settings.as_dict(), repr(overrides)]


@lru_cache
def _installed(package: Path) -> str:
    """What stands for the state of an installed package; its files are replaced, or saved by those who work on it."""
    stamps = []
    for directory, inner, names in os.walk(package):
        inner[:] = sorted(name for name in inner if name != "__pycache__")
        for name in sorted(names):
            state = os.stat(os.path.join(directory, name))
            stamps.append((directory, name, state.st_size, state.st_mtime_ns))
    return _key(stamps)


def _asks_requirements(project: Project) -> bool:
    return (project.overrides.target_tensorflow or project.settings.target_tensorflow) is None


def _requirement_places(directories: Iterable[Path]) -> set[Path]:
    """Where the requirements of files in some directories stand, or could."""
    places: set[Path] = set()
    for directory in _upwards(directories):
        places.add(directory / "requirements")
        for name in filter(may_require, _names(directory)):
            inner = (inner for inner in _names(directory / name) if _may_state(inner))
            places.update(directory / name / place for place in ("", *inner))
    return places


def _may_state(name: str) -> bool:
    return name.endswith(".txt") or describes_image(name) or is_readme(name)


def _names(directory: Path) -> list[str]:
    try:
        return os.listdir(directory)
    except OSError:
        return []


def _upwards(directories: Iterable[Path]) -> Iterator[Path]:
    """Directories and those above them, each once, as far as their project reaches."""
    seen: set[Path] = set()
    for start in directories:
        top = project_root(start)
        for directory in (start, *start.parents):
            if directory in seen or (directory != start and not directory.is_relative_to(top)):
                break
            seen.add(directory)
            yield directory


def _is_below(path: str, root: str) -> bool:
    return path.startswith(os.path.join(root, "")) and os.path.normpath(path) == path


def _leads_to(result: FileResult, own: str, known: Iterable[str]) -> bool:
    """Whether a result leads to no other files than its own and those that it depends on."""
    texts = {text.path for text in result.texts_elsewhere}
    return (result.text is None or result.text.path == shown_path(Path(own))) and all(
        str(absolute(Path(text))) in known for text in texts
    )


def _is_lasting(result: FileResult) -> bool:
    """Whether the same would come of the same file again."""
    return result.change is None and not any(problem.passing for problem in result.problems)


def _is_more_than_clean(result: FileResult) -> bool:
    return bool(result.diagnostics or result.problems or result.change)


def _key(*parts: object) -> str:
    return digest(json.dumps(parts).encode())
