"""One run: discover the files, check each, and gather the results."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from pipelint.lint.apply_rules import apply_rules
from pipelint.lint.results import FileResult, Results
from pipelint.lint.task import Task
from pipelint.project.projects import Project, Projects
from pipelint.project.registry import RegisteredRule
from pipelint.source.discovery import discover, is_test_file
from pipelint.source.errors import FileError
from pipelint.source.files import load
from pipelint.source.paths import shown_path


def check_paths(projects: Projects, paths: Iterable[Path], task: Task) -> Results:
    """Check files and directories, and write what the task asks for; a file that fails does not stop the others."""
    results = []
    taking_part: dict[Project, None] = {}
    for item in _files(projects, paths, task.force_exclude):
        if isinstance(item, FileError):
            results.append(_failed(item))
        elif task.known.leave_room_for(item):
            project = projects.of_file(item)
            if _is_checked(project, item):
                taking_part[project] = None
                results.append(check_file(project, item, task))
    results += (_failed(error) for project in taking_part for error in project.unreadable.values())
    return Results.gather(results, _rules_of(taking_part))


def check_source(projects: Projects, path: Path, data: bytes, task: Task) -> Results:
    """Check source that stands in for the file at `path`; a change to it is in the results and nowhere else."""
    project = projects.of_file(path)
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

    return replace(treat_findings(project, found, task, written=data is None), baselined=baselined, notes=notes)


def _failed(error: FileError, path: Path | None = None) -> FileResult:
    from pipelint.lint.locate_findings import problem  # as above

    return FileResult(problems=(problem(error, path),))


def _rules_of(projects: Iterable[Project]) -> Iterator[RegisteredRule]:
    return (rule for project in projects for rule in project.enabled)


def _files(projects: Projects, paths: Iterable[Path], force_exclude: bool) -> Iterator[Path | FileError]:
    """The files below the paths, each once, with the exclusions of the path's project and of the file's own."""
    by_project: dict[Project, list[Path]] = defaultdict(list)
    for path in paths:
        by_project[projects.of(path)].append(path)
    seen: set[Path] = set()
    for project, named in by_project.items():
        for item in discover(named, project.settings.root, project.settings.exclude, force_exclude):
            if isinstance(item, FileError):
                yield item
            elif item not in seen and not _is_excluded_by_its_own(projects, project, item):
                seen.add(item)
                yield item


def _is_excluded_by_its_own(projects: Projects, walked: Project, path: Path) -> bool:
    """Whether the file has a nearer configuration than the directory that was walked, which excludes it."""
    own = projects.of_file(path)
    return own is not walked and _is_excluded(own, path)


def _is_excluded(project: Project, path: Path) -> bool:
    return not list(discover([path], project.settings.root, project.settings.exclude, force_exclude=True))


def _is_checked(project: Project, path: Path) -> bool:
    return project.settings.check_tests or not is_test_file(path)
