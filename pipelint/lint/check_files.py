"""One run: discover the files, check each, and gather the results."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from pipelint.lint.check_batch import as_shown, check_file, failed
from pipelint.lint.check_together import ALONE, Means, check_together
from pipelint.lint.known_findings import KnownFindings
from pipelint.lint.results import Results
from pipelint.lint.task import Task
from pipelint.project.projects import Project, Projects
from pipelint.project.settings import ConfigError
from pipelint.source.discovery import discover, is_test_file
from pipelint.source.errors import FileError, UserError
from pipelint.source.paths import absolute, place_of
from pipelint.source.writing import sweep


def check_paths(projects: Projects, paths: Sequence[Path], task: Task, means: Means = ALONE) -> Results:
    """Check files and directories, and write what the task asks for; a file that fails does not stop the others.

    Nor does a configuration that cannot be used, which is told for its folder. Raises UserError if no path has another.
    """
    folders = _Folders(projects, task.known)
    items = list(_files(folders, paths, task.force_exclude))
    found = [item for item in items if not isinstance(item, FileError)]
    wanted = _wanted(found, task.known)
    for directory in {path.parent for path, _ in found}:
        sweep(directory)
    files = [(path, project) for path, project in found if path in wanted]
    checked = check_together(files, task, means, projects)
    results = [failed(item) for item in items if isinstance(item, FileError)]
    results += checked.results
    results += map(failed, (*folders.problems, *checked.unreadable))
    asked = dict.fromkeys(project for _, project in files)
    return Results.gather(
        results,
        lambda: (rule for project in asked for rule in project.enabled),
        _empty(paths, found) if not any(result.problems for result in results) else (),
    )


def checked_files(projects: Projects, paths: Sequence[Path], force_exclude: bool) -> tuple[list[Path], list[FileError]]:
    """The files that would be checked, and what is wrong with others; raises UserError as `check_paths` does."""
    folders = _Folders(projects, KnownFindings())
    items = list(_files(folders, paths, force_exclude))
    files = [item[0] for item in items if not isinstance(item, FileError) and is_checked(item[1], item[0])]
    return files, [*(item for item in items if isinstance(item, FileError)), *folders.problems]


def _empty(paths: Iterable[Path], files: Iterable[tuple[Path, Project]]) -> Iterator[str]:
    """What to say of directories in which there is nothing to check."""
    found = [(absolute(file), project) for file, project in files]
    for path in dict.fromkeys(path for path in paths if path.is_dir()):
        below = [(file, project) for file, project in found if file.is_relative_to(absolute(path))]
        if not below:
            yield f"{path}: no Python files or notebooks here, or all are excluded"
        elif not any(is_checked(project, file) for file, project in below):
            yield f"{path}: only tests here, which are left out; set check-tests = true to check them"


def _wanted(files: Iterable[tuple[Path, Project]], known: KnownFindings) -> set[Path]:
    """The files that are checked; their projects are told of them."""
    by_project: dict[Project, list[Path]] = defaultdict(list)
    for path, project in files:
        if is_checked(project, path):
            by_project[project].append(path)
    return {path for project, given in by_project.items() for path in known.expect(project, given)}


def check_source(projects: Projects, path: Path, data: bytes, task: Task) -> Results:
    """Check source that stands in for the file at `path`; a change to it is in the results and nowhere else."""
    project = projects.of_file(path).with_files({place_of(path): data})
    wanted = is_checked(project, path, force_exclude=task.force_exclude)
    results = [as_shown(check_file(project, path, task, data), project)] if wanted else []
    results += map(failed, project.unreadable.values())
    return Results.gather(results, lambda: project.enabled)


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
        for item in _discovered(walked, named, force_exclude):
            if isinstance(item, FileError):
                yield item
            elif item not in seen:
                seen.add(item)
                own = folders.project(item.parent)
                # A nearer configuration than that of the directory that was walked has exclusions of its own.
                if own and (own is walked or not _is_excluded(own, item)):
                    yield item, own


def _is_excluded(project: Project, path: Path) -> bool:
    return not list(_discovered(project, [path], force_exclude=True))


def _discovered(project: Project, paths: Iterable[Path], force_exclude: bool) -> Iterator[Path | FileError]:
    return discover(paths, project.settings.root, project.exclude, force_exclude, project.exclude_given)


def is_checked(project: Project, path: Path, *, force_exclude: bool = False) -> bool:
    """Whether a file is looked at that was named: no test, unless they are, and by force none that is excluded."""
    is_wanted = project.settings.check_tests or not is_test_file(path)
    return is_wanted and not (force_exclude and _is_excluded(project, path))
