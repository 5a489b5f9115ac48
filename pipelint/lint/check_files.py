"""One run: discover the files, check each, and gather the results."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from pipelint.lint.apply_rules import apply_rules
from pipelint.lint.known_findings import KnownFindings
from pipelint.lint.results import FileResult, Results
from pipelint.lint.task import Task
from pipelint.project.projects import Project, Projects
from pipelint.project.registry import RegisteredRule
from pipelint.project.settings import ConfigError
from pipelint.source.discovery import discover, is_test_file
from pipelint.source.errors import FileError, UserError, internal_error
from pipelint.source.files import load
from pipelint.source.paths import place_of, shown_path
from pipelint.source.writing import sweep


def check_paths(projects: Projects, paths: Sequence[Path], task: Task) -> Results:
    """Check files and directories, and write what the task asks for; a file that fails does not stop the others.

    Nor does a configuration that cannot be used, which is told for its folder. Raises UserError if no path has another.
    """
    folders = _Folders(projects, task.known)
    results = []
    taking_part: dict[Project, None] = {}
    swept: set[Path] = set()
    items = list(_files(folders, paths, task.force_exclude))
    wanted = _wanted((item for item in items if not isinstance(item, FileError)), task.known)
    for item in items:
        if isinstance(item, FileError):
            results.append(_failed(item))
            continue
        path, project = item
        if path.parent not in swept:
            swept.add(path.parent)
            sweep(path.parent)
        if path in wanted:
            taking_part[project] = None
            results.append(check_file(project, path, task))
    results += map(_failed, folders.problems)
    results += (_failed(error) for project in taking_part for error in project.unreadable.values())
    return Results.gather(results, _rules_of(taking_part))


def _wanted(files: Iterable[tuple[Path, Project]], known: KnownFindings) -> set[Path]:
    """The files that are checked; their projects are told of them."""
    by_project: dict[Project, list[Path]] = defaultdict(list)
    for path, project in files:
        if _is_checked(project, path):
            by_project[project].append(path)
    return {path for project, given in by_project.items() for path in known.expect(project, given)}


def check_source(projects: Projects, path: Path, data: bytes, task: Task) -> Results:
    """Check source that stands in for the file at `path`; a change to it is in the results and nowhere else."""
    project = projects.of_file(path).with_files({place_of(path): data})
    excluded = task.force_exclude and _is_excluded(project, path)
    wanted = _is_checked(project, path) and not excluded
    results = [check_file(project, path, task, data)] if wanted else []
    results += (_failed(error) for error in project.unreadable.values())
    return Results.gather(results, _rules_of([project]))


def check_file(project: Project, path: Path, task: Task, data: bytes | None = None) -> FileResult:
    """Check one file; with `data` in its place nothing is written."""
    try:
        found, baselined = task.known.hide(project, apply_rules(project, load(path, data)))
    except FileError as error:
        return replace(_failed(error, path), files=1)
    notes = tuple(
        f"{shown_path(path)}: counts as unknown: {program.given_up}"
        for program in found.programs
        if program is not None and program.given_up
    )
    if not found.findings and not found.problems:
        return FileResult(files=1, baselined=baselined, notes=notes)
    from pipelint.lint.treat_findings import treat_findings  # all that a clean file never meets

    try:
        result = treat_findings(project, found, task, written=data is None)
    except Exception as error:  # noqa: BLE001 - a fault in one file must not cost the report of the others
        return replace(_failed(internal_error("what becomes of the findings", error, path)), files=1)
    return replace(result, baselined=baselined, notes=notes)


def _failed(error: FileError, path: Path | None = None) -> FileResult:
    from pipelint.lint.locate_findings import problem  # as above

    return FileResult(problems=(problem(error, path),))


def _rules_of(projects: Iterable[Project]) -> Iterator[RegisteredRule]:
    return (rule for project in projects for rule in project.enabled)


class _Folders:
    """The projects of folders; what is wrong with the configuration of one costs its own files and no others."""

    def __init__(self, projects: Projects, known: KnownFindings) -> None:
        self._projects = projects
        self._known = known
        self._found: dict[Path, Project | None] = {}
        self._faults: dict[str, tuple[Path, UserError]] = {}

    def project(self, folder: Path) -> Project | None:
        """The project that a folder belongs to, None where its configuration or its baseline cannot be used."""
        if folder not in self._found:
            self._found[folder] = self._usable(folder)
        return self._found[folder]

    def _usable(self, folder: Path) -> Project | None:
        where = folder
        try:
            project = self._projects.of(folder)
            where = project.settings.source or folder
            self._known.baseline(project)
        except UserError as error:
            self._faults.setdefault(str(error), (where, error))
            return None
        return project

    @property
    def problems(self) -> Iterator[FileError]:
        """What is wrong, each once."""
        for folder, error in self._faults.values():
            message, path, line = str(error), folder, None
            if isinstance(error, ConfigError) and error.path is not None:
                message, path, line = error.message, error.path, error.line
            yield FileError(f"{message}; the files of this folder are not checked", path=path, line=line)

    def require_one(self) -> None:
        """Raises what is wrong with the first folder, if all have something."""
        for _, error in self._faults.values():
            if not any(self._found.values()):
                raise error


def _files(folders: _Folders, paths: Iterable[Path], force_exclude: bool) -> Iterator[tuple[Path, Project] | FileError]:
    """The files below the paths, each once, with the exclusions of the path's project and of the file's own."""
    by_project: dict[Project, list[Path]] = defaultdict(list)
    for path in paths:
        if project := folders.project(path if path.is_dir() else path.parent):
            by_project[project].append(path)
    folders.require_one()
    seen: set[Path] = set()
    for walked, named in by_project.items():
        for item in discover(named, walked.settings.root, walked.settings.exclude, force_exclude):
            if isinstance(item, FileError):
                yield item
            elif item not in seen:
                seen.add(item)
                own = folders.project(item.parent)
                # A nearer configuration than that of the directory that was walked has exclusions of its own.
                if own and (own is walked or not _is_excluded(own, item)):
                    yield item, own


def _is_excluded(project: Project, path: Path) -> bool:
    return not list(discover([path], project.settings.root, project.settings.exclude, force_exclude=True))


def _is_checked(project: Project, path: Path) -> bool:
    return project.settings.check_tests or not is_test_file(path)
