"""One run: discover the files, examine and fix each, write what changed, and gather the results."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from enum import Enum
from pathlib import Path

from pipelint.lint.examine import Examination, examine
from pipelint.lint.fix import Fixed, Fixes, fix, silence
from pipelint.lint.known import Hiding
from pipelint.lint.locate import diagnostics, problem
from pipelint.lint.results import Change, FileText, Outcome, Results
from pipelint.project.projects import Project, Projects
from pipelint.project.registry import RegisteredRule
from pipelint.source.discovery import discover, is_test_file
from pipelint.source.document import FileError, load, write
from pipelint.source.paths import shown_path


class Mode(Enum):
    """What to do about findings."""

    REPORT = "report"
    DIFF = "diff"
    FIX = "fix"
    ADD_NOQA = "add noqa"


@dataclass(frozen=True)
class Task:
    """What a run does with every file."""

    mode: Mode = Mode.REPORT
    fixes: Fixes = Fixes.SAFE
    force_exclude: bool = False
    hiding: Hiding = field(default_factory=Hiding)


def check_paths(projects: Projects, paths: Iterable[Path], task: Task) -> Results:
    """Check files and directories, and write what the task asks for; a file that fails does not stop the others."""
    outcomes = []
    taking_part: dict[Project, None] = {}
    for item in _files(projects, paths, task.force_exclude):
        if isinstance(item, FileError):
            outcomes.append(Outcome(problems=(problem(item),)))
        elif task.hiding.is_open(item):
            project = projects.of_file(item)
            if _is_checked(project, item):
                taking_part[project] = None
                outcomes.append(check_file(project, item, task))
    return Results.gather(outcomes, _rules_of(taking_part))


def check_source(projects: Projects, path: Path, data: bytes, task: Task) -> Results:
    """Check source that stands in for the file at `path`; a change to it is in the results and nowhere else."""
    project = projects.of_file(path)
    excluded = task.force_exclude and _is_excluded(project, path)
    wanted = _is_checked(project, path) and not excluded
    return Results.gather([check_file(project, path, task, data)] if wanted else [], _rules_of([project]))


def check_file(project: Project, path: Path, task: Task, data: bytes | None = None) -> Outcome:
    """Check one file; with `data` in its place nothing is written."""
    try:
        before, baselined = task.hiding.apply(project, examine(project, load(path, data)))
    except FileError as error:
        return Outcome(files=1, problems=(problem(error, path),))
    if not before.findings and not before.problems:
        return Outcome(files=1, baselined=baselined)
    return replace(_finished(project, before, task, written=data is None), baselined=baselined)


def _finished(project: Project, before: Examination, task: Task, *, written: bool) -> Outcome:
    """What becomes of a file with findings, after the task's changes to it."""
    document, path = before.document, before.document.path
    after = _treated(project, before, task)
    change = Change(shown_path(path), document.data, after.examination.document.data)
    if change.is_empty or task.mode is Mode.DIFF:
        shown = replace(before, problems=after.examination.problems)
        return _outcome(project, shown, None if change.is_empty else change)
    try:
        if written:
            write(path, change.after)
    except FileError as error:
        return _outcome(project, replace(before, problems=(*before.problems, error)))
    return _outcome(project, after.examination, change, after.count)


def _treated(project: Project, examination: Examination, task: Task) -> Fixed:
    if examination.problems or task.mode is Mode.REPORT:
        return Fixed(examination)
    if task.mode is Mode.ADD_NOQA:
        return silence(project, examination)
    return fix(project, examination, task.fixes)


def _outcome(project: Project, examination: Examination, change: Change | None = None, fixed: int = 0) -> Outcome:
    found, document = diagnostics(examination, project.registry), examination.document
    return Outcome(
        files=1,
        diagnostics=tuple(found),
        problems=tuple(problem(error, document.path, document) for error in examination.problems),
        change=change,
        fixed=fixed,
        failing=any(diagnostic.severity.weight >= project.fail_on.weight for diagnostic in found),
        text=FileText(found[0].span.path, document.parts) if found else None,
    )


def _rules_of(projects: Iterable[Project]) -> Iterator[RegisteredRule]:
    return (rule for project in projects for rule in project.enabled)


def _files(projects: Projects, paths: Iterable[Path], force_exclude: bool) -> Iterator[Path | FileError]:
    """The files below the paths, each once, with the exclusions of the path's project and of the file's own."""
    by_project: dict[Project, list[Path]] = defaultdict(list)
    for path in paths:
        by_project[projects.of(path)].append(path)
    seen: set[Path] = set()
    for project, named in by_project.items():
        for item in discover(named, project.settings, force_exclude):
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
    return not list(discover([path], project.settings, force_exclude=True))


def _is_checked(project: Project, path: Path) -> bool:
    return project.settings.check_tests or not is_test_file(path)
