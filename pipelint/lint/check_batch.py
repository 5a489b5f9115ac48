"""Checks files that belong together, one after the other or, where fixes may go from one to the other, at once."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from pipelint.lint.apply_rules import DocumentFindings, apply_rules
from pipelint.lint.known_findings import without_minor
from pipelint.lint.results import FileResult
from pipelint.lint.task import Task
from pipelint.model.grades import Severity
from pipelint.project.module_files import News
from pipelint.project.projects import Project
from pipelint.source.errors import FileError
from pipelint.source.files import load
from pipelint.source.garbage import let_go, seldom_collected
from pipelint.source.paths import shown_path


@dataclass(frozen=True)
class Batch:
    """Files of one project that are followed or fixed together, in the order of their paths."""

    project: Project
    files: tuple[Path, ...]


@dataclass(frozen=True)
class Checked:
    """What became of a batch: the result of each file, and what was looked at for them."""

    results: tuple[FileResult, ...]
    unreadable: tuple[FileError, ...] = ()
    news: dict[Path, News] | None = None
    """None where nobody can tell."""


def check_batch(batch: Batch, task: Task) -> Checked:
    """Check files, and write what the task asks for; a file that fails does not stop the others."""
    project = batch.project
    with seldom_collected():
        if task.changes_others and len(batch.files) > 1:
            results = _treated(project, [_kept(_examined(project, path, task)) for path in batch.files], task)
        else:
            results = [check_file(project, path, task) for path in batch.files]
        if interpreter := sys.modules.get("pipelint.lint.unit_program"):  # it is large, and most files never meet it
            interpreter.forget_programs()
            let_go()
    return Checked(tuple(results), tuple(project.unreadable.values()), project.news())


def check_file(project: Project, path: Path, task: Task, data: bytes | None = None) -> FileResult:
    """Check one file; with `data` in its place nothing is written."""
    (result,) = _treated(project, [_examined(project, path, task, data)], task, written=data is None)
    return result


def as_shown(result: FileResult, project: Project) -> FileResult:
    """The result of a file as it is reported: without what is less severe than asked for, and whether it fails."""
    if not result.diagnostics:
        return result
    shown = tuple(item for item in result.diagnostics if item.severity.weight >= project.min_severity.weight)
    return replace(
        result,
        diagnostics=shown,
        failing=any(item.severity.weight >= project.fail_on.weight for item in shown),
        advice_fails=project.fail_on is Severity.ADVICE,
    )


def without_left_over(batch: Batch, checked: Checked) -> Checked:
    """What became of a batch, with nothing told of files that their project left behind.

    What is kept of a batch is the whole of it: other files decide over this.
    """
    pairs = zip(batch.files, checked.results, strict=True)
    return replace(checked, results=tuple(_in_use(batch.project, path, result) for path, result in pairs))


def _in_use(project: Project, path: Path, result: FileResult) -> FileResult:
    if not result.diagnostics or not project.left_behind(path):
        return result
    note = f"{shown_path(path)}: left alone: it only defines things, and nothing in the project imports it"
    return replace(result, diagnostics=(), failing=False, text=None, texts_elsewhere=(), notes=(*result.notes, note))


def failed(error: FileError, path: Path | None = None, files: int = 0) -> FileResult:
    """The result of files that could not be checked."""
    from pipelint.lint.locate_findings import problem  # all that a clean file never meets

    return FileResult(files=files, problems=(problem(error, path),))


@dataclass(frozen=True)
class _Examined:
    """What is found in a file, and what is to be said besides."""

    found: DocumentFindings
    baselined: int
    notes: tuple[str, ...]


def _examined(project: Project, path: Path, task: Task, data: bytes | None = None) -> _Examined | FileResult:
    try:
        found, baselined = task.known.hide(project, apply_rules(project, load(path, data)))
    except FileError as error:
        return failed(error, path, files=1)
    if not task.only_tells:  # else what is found may be kept, and is shown in part
        found = without_minor(found, project.min_severity)
        if found.findings and project.left_behind(path):
            found = replace(found, findings=(), hidden=(*found.hidden, *found.findings))
    notes = tuple(
        f"{shown_path(path)}: counts as unknown: {program.given_up}"
        for program in found.programs
        if program is not None and program.given_up
    )
    return _Examined(found, baselined, notes)


def _kept(file: _Examined | FileResult) -> _Examined | FileResult:
    """A file as it waits for others: programs are large, and where nothing is found hardly anybody asks for them."""
    if isinstance(file, FileResult) or file.found.findings or file.found.problems:
        return file
    return replace(file, found=replace(file.found, programs=(None,) * len(file.found.programs)))


def _treated(
    project: Project, files: Sequence[_Examined | FileResult], task: Task, *, written: bool = True
) -> list[FileResult]:
    """The results of files, in their order, after what the task does about their findings."""
    examined = [file for file in files if isinstance(file, _Examined)]
    if not any(file.found.findings or file.found.problems for file in examined):
        results = [FileResult(files=1) for _ in examined]
    else:
        from pipelint.lint.treat_findings import treat_together  # as above

        results = treat_together(project, [file.found for file in examined], task, written=written)
    told = iter(
        replace(result, baselined=file.baselined, notes=file.notes)
        for file, result in zip(examined, results, strict=True)
    )
    return [file if isinstance(file, FileResult) else next(told) for file in files]
