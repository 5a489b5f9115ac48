"""Findings that are known and not reported: which they are, and which they still are when fixes have moved them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from pipelint.lint.apply_rules import DocumentFindings
from pipelint.model.grades import Severity
from pipelint.project.projects import Project

if TYPE_CHECKING:
    from pipelint.lint.baseline import Baseline
    from pipelint.lint.since import Since


class KnownFindings:
    """What a run leaves out: what is not new since a revision, and what the baselines of projects list."""

    def __init__(self, since: Since | None = None, *, baselines: bool = False) -> None:
        self._since = since
        self._use_baselines = baselines
        self._baselines: dict[Path, Baseline] = {}

    @property
    def asks_history(self) -> bool:
        """Whether files are compared with what they were."""
        return self._since is not None

    def expect(self, project: Project, paths: Sequence[Path]) -> Collection[Path]:
        """Tell a project which of its files are asked about; those are left that can have anything to report."""
        if self._since is not None:
            return self._since.reach(project, paths)
        project.expect(paths)
        return paths

    def hide(self, project: Project, found: DocumentFindings) -> tuple[DocumentFindings, int]:
        """The findings with the known ones hidden, and how many of them only the baseline hides."""
        if not found.findings:
            return found, 0
        baseline = self.baseline(project)
        old = self._since.known(project, found) if self._since else set()
        listed = baseline.listed(project, found) if baseline else set()
        return _hidden(found, old | listed), len(listed - old)

    def baseline(self, project: Project) -> Baseline | None:
        """The project's baseline, if it has one, read once; raises UserError for one that cannot be read."""
        path = project.baseline
        if path is None or not self._use_baselines:
            return None
        if path not in self._baselines:
            from pipelint.lint.baseline import Baseline  # slow to load, and most projects have none

            self._baselines[path] = Baseline.read(path)
        return self._baselines[path]


def without_minor(found: DocumentFindings, least: Severity) -> DocumentFindings:
    """The findings with those hidden that are less severe."""
    findings = enumerate(found.findings)
    return _hidden(found, {index for index, item in findings if item.finding.severity.weight < least.weight})


def still_hidden(before: DocumentFindings, after: DocumentFindings) -> DocumentFindings:
    """What is found after a change to the document, with hidden what was hidden before."""
    if not before.hidden:
        return after
    from pipelint.lint.same_findings import origins  # slow to load, and only fixes beside known findings need it

    return _hidden(after, origins(before.document, before.hidden, after))


def _hidden(found: DocumentFindings, known: Collection[int]) -> DocumentFindings:
    findings = list(enumerate(found.findings))
    return replace(
        found,
        findings=tuple(finding for index, finding in findings if index not in known),
        hidden=found.hidden + tuple(finding for index, finding in findings if index in known),
    )
