"""What becomes of a file with findings: they are shown, fixed or silenced, as the task asks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pipelint.lint.apply_rules import DocumentFindings
from pipelint.lint.fix import Fixed
from pipelint.lint.fix_edits import with_edits, with_line_breaks
from pipelint.lint.fix_together import FixedFile, fix_together
from pipelint.lint.locate_findings import diagnostics, problem, texts_elsewhere
from pipelint.lint.results import Change, ChangedText, FileResult, FileText, RuleName
from pipelint.lint.same_findings import origins
from pipelint.lint.silence import silence
from pipelint.lint.task import Mode, Task
from pipelint.lint.try_fixes import without_fixes, without_uncovering
from pipelint.project.projects import Project
from pipelint.source.document import Document
from pipelint.source.errors import FileError, internal_error
from pipelint.source.paths import shown_path
from pipelint.source.writing import write


def treat_together(
    project: Project, found: Sequence[DocumentFindings], task: Task, *, written: bool
) -> list[FileResult]:
    """The results for files in their order; the fix of a finding in one of them may change another."""
    before = [with_edits(project, item, task.applied) for item in found]
    if task.mode in (Mode.DIFF, Mode.FIX):
        treated = fix_together(project, before, task.applied)
    else:
        silences = task.mode is Mode.ADD_NOQA
        after = [silence(project, item) if silences and not item.problems else Fixed(item) for item in before]
        treated = [FixedFile(*pair, project) for pair in zip(before, after, strict=True)]
    return [_told(project, file, task, written=written) for file in treated]


def _told(project: Project, file: FixedFile, task: Task, *, written: bool) -> FileResult:
    try:
        return _finished(project, file, task, written=written)
    except Exception as error:  # noqa: BLE001 - a fault in one file must not cost the report of the others
        fault = internal_error("what becomes of the findings", error, file.before.document.path)
        return FileResult(files=1, problems=(problem(fault),))


def _finished(project: Project, file: FixedFile, task: Task, *, written: bool) -> FileResult:
    before, after = file.before, file.after
    change = change_between(before.document, after.found.document)
    if task.mode is Mode.DIFF:
        shown = replace(_with_refusals(before, after.found), problems=after.found.problems)
        return _result(project, task, shown, change)
    try:
        if written and change is not None:
            document = before.document
            write(document.path, change.after, read=document.data, root=project.settings.root)
    except FileError as error:
        return _result(project, task, replace(before, problems=(*before.problems, error)))
    return _result(file.project, task, after.found, change, after.mended)


def _with_refusals(before: DocumentFindings, after: DocumentFindings) -> DocumentFindings:
    """The findings of a document that stays as it is, without the fixes that would not be applied to it."""
    left = origins(before.document, before.findings, after, movable=before.findings)
    refused = {id(item): after.findings[index].unfixed for index, item in left.items() if after.findings[index].unfixed}
    return without_fixes(before, refused)


def change_between(before: Document, after: Document) -> Change | None:
    """What was made of a document, None where that is nothing."""
    if before.data == after.data:
        return None
    # Fixes never add, drop or move cells.
    pairs = zip(before.parts, after.parts, strict=True)
    texts = tuple(ChangedText(cell, old, new) for (cell, old), (_, new) in pairs if old != new)
    return Change(shown_path(before.path), after.data, texts)


def _result(
    project: Project,
    task: Task,
    left: DocumentFindings,
    change: Change | None = None,
    mended: tuple[RuleName, ...] = (),
) -> FileResult:
    found = with_line_breaks(without_uncovering(project, with_edits(project, left, task.shown)))
    shown, document = diagnostics(found, project), found.document
    return FileResult(
        files=1,
        diagnostics=tuple(shown),
        problems=tuple(problem(error, document.path, document) for error in found.problems),
        change=change,
        mended=mended,
        text=FileText(shown[0].span.path, document.parts) if shown else None,
        texts_elsewhere=texts_elsewhere(found, project),
    )
