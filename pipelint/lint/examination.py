"""What is found in a text that somebody is editing, and, when it is asked, what can be done about a finding."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from pipelint.lint.apply_rules import DocumentFindings, apply_rules
from pipelint.lint.check_batch import check_file
from pipelint.lint.diagnostic import Diagnostic, Problem
from pipelint.lint.known_findings import KnownFindings
from pipelint.lint.locate_findings import problem, unsorted_diagnostics
from pipelint.lint.results import Change, FileText
from pipelint.lint.task import Fixes, Mode, Task
from pipelint.project.projects import Project
from pipelint.source.errors import FileError
from pipelint.source.files import load
from pipelint.static.abstract.work import Patience, as_long_as

__all__ = ["Examination", "Patience", "examine"]


@dataclass(frozen=True)
class Examination:
    """The findings in one text of a file, without their fixes: to work these out takes longer than to find."""

    project: Project
    path: Path
    data: bytes
    found: DocumentFindings | None
    """None where the file cannot be read as what it is."""
    problems: tuple[Problem, ...]

    @cached_property
    def diagnostics(self) -> Sequence[Diagnostic]:
        """The findings, in the order in which they were found."""
        return unsorted_diagnostics(self.found, self.project) if self.found else ()

    def with_fixes(self, asked: Collection[int]) -> dict[int, tuple[Diagnostic, tuple[FileText, ...]]]:
        """Some of the findings, by their places among all, with their fixes and the other files that these change.

        The fixes are those that a report shows.
        """
        if self.found is None or not asked:
            return {}
        from pipelint.lint.fix_edits import with_edits, with_line_breaks  # libcst is slow to load
        from pipelint.lint.locate_findings import texts_elsewhere
        from pipelint.lint.try_fixes import without_uncovering

        findings = self.found.findings
        # Fixes of one rule may stand and fall together.
        codes = {findings[index].finding.code for index in asked}
        alike = [item for item in findings if item.finding.code in codes]
        edited = iter(with_edits(self.project, replace(self.found, findings=tuple(alike)), Fixes.ALL).findings)
        together = tuple(next(edited) if item.finding.code in codes else item for item in findings)
        tried = without_uncovering(self.project, replace(self.found, findings=together))
        wanted = tuple(tried.findings[index] for index in asked)
        shown = with_line_breaks(replace(tried, findings=wanted))
        told = unsorted_diagnostics(shown, self.project)
        return {
            index: (diagnostic, texts_elsewhere(replace(shown, findings=(item,)), self.project))
            for index, diagnostic, item in zip(asked, told, shown.findings, strict=True)
        }

    def silenced(self, index: int) -> Change | None:
        """What a comment changes that silences one finding, as `--add-noqa` writes it; None if none can."""
        if self.found is None:
            return None
        from pipelint.lint.silence import silence  # as above
        from pipelint.lint.treat_findings import change_between

        alone = replace(self.found, findings=(self.found.findings[index],))
        return change_between(self.found.document, silence(self.project, alone).found.document)

    def fixed(self, fixes: Fixes) -> Change | None:
        """What `--fix` changes."""
        task = Task(Mode.FIX, fixes, known=KnownFindings(baselines=True))
        return check_file(self.project, self.path, task, self.data).change


def examine(
    project: Project, path: Path, data: bytes, known: KnownFindings, patience: Patience | None = None
) -> Examination:
    """Look at a text that stands in for the file at `path`, in a project that has it in place of the file.

    Where the patience ends meanwhile, what is found is of no use.
    """
    try:
        with as_long_as(patience or Patience()):
            found, _ = known.hide(project, apply_rules(project, load(path, data)))
    except FileError as error:
        return Examination(project, path, data, None, (problem(error, path),))
    problems = tuple(problem(error, path, found.document) for error in found.problems)
    return Examination(project, path, data, found, problems)
