"""What becomes of a file with findings: they are shown, fixed or silenced, as the task asks."""

from __future__ import annotations

from dataclasses import replace

from pipelint.lint.apply_rules import DocumentFindings
from pipelint.lint.fix import Fixed, fix, silence
from pipelint.lint.fix_edits import with_edits
from pipelint.lint.locate_findings import diagnostics, problem
from pipelint.lint.results import Change, ChangedText, FileResult, FileText
from pipelint.lint.task import Mode, Task
from pipelint.model.grades import Severity
from pipelint.project.projects import Project
from pipelint.source.document import Document
from pipelint.source.errors import FileError
from pipelint.source.files import write
from pipelint.source.paths import shown_path


def treat_findings(project: Project, found: DocumentFindings, task: Task, *, written: bool) -> FileResult:
    """The result for a file, after the task's changes to it, which are written where that is asked for."""
    before = with_edits(found, task.applied)
    after = _treated(project, before, task)
    change = _change(before.document, after.found.document)
    if change is None or task.mode is Mode.DIFF:
        return _result(project, task, replace(before, problems=after.found.problems), change)
    try:
        if written:
            write(before.document.path, change.after)
    except FileError as error:
        return _result(project, task, replace(before, problems=(*before.problems, error)))
    return _result(project, task, after.found, change, after.count)


def _treated(project: Project, found: DocumentFindings, task: Task) -> Fixed:
    if found.problems or task.mode in (Mode.LIST, Mode.REPORT):
        return Fixed(found)
    if task.mode is Mode.ADD_NOQA:
        return silence(project, found)
    return fix(project, found, task.applied)


def _change(before: Document, after: Document) -> Change | None:
    if before.data == after.data:
        return None
    # Fixes never add, drop or move cells.
    pairs = zip(before.parts, after.parts, strict=True)
    texts = tuple(ChangedText(cell, old, new) for (cell, old), (_, new) in pairs if old != new)
    return Change(shown_path(before.path), after.data, texts)


def _result(
    project: Project, task: Task, left: DocumentFindings, change: Change | None = None, fixed: int = 0
) -> FileResult:
    found = with_edits(left, task.shown)
    shown, document = diagnostics(found, project.registry), found.document
    return FileResult(
        files=1,
        diagnostics=tuple(shown),
        problems=tuple(problem(error, document.path, document) for error in found.problems),
        change=change,
        fixed=fixed,
        failing=any(diagnostic.severity.weight >= project.fail_on.weight for diagnostic in shown),
        advice_fails=project.fail_on is Severity.ADVICE,
        text=FileText(shown[0].span.path, document.parts) if shown else None,
    )
