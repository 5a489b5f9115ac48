"""Findings that are known and not reported: which they are, and which they still are when fixes have moved them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass, replace
from pathlib import Path

from pipelint.lint.baseline import Baselines
from pipelint.lint.examine import Examination, Located
from pipelint.lint.since import Since
from pipelint.project.projects import Project
from pipelint.source.alignment import Alignment
from pipelint.source.document import Document, Place


@dataclass(frozen=True)
class Hiding:
    """What a run leaves out: what is not new since a revision, and what the baselines list."""

    since: Since | None = None
    baselines: Baselines | None = None

    def is_open(self, path: Path) -> bool:
        """Whether a file can have anything to report."""
        return self.since is None or self.since.touches(path)

    def apply(self, project: Project, examination: Examination) -> tuple[Examination, int]:
        """The examination with its known findings hidden, and how many of them only the baseline hides."""
        if not examination.findings:
            return examination, 0
        old = self.since.known(project, examination) if self.since else set()
        listed = self.baselines.known(project, examination) if self.baselines else set()
        return _hide(examination, old | listed), len(listed - old)


def still_hidden(before: Examination, after: Examination) -> Examination:
    """The examination after a change to the document, with hidden what was hidden before."""
    if not before.hidden:
        return after
    alignment = Alignment(before.document, after.document)
    left = Counter((located.finding.code, _place(before.document, located)) for located in before.hidden)
    hidden, moved = set(), []
    for index, located in enumerate(after.findings):
        origin = alignment.origin(_place(after.document, located))
        if origin is None:
            moved.append(index)
        elif left[located.finding.code, origin]:
            left[located.finding.code, origin] -= 1
            hidden.add(index)
    # In lines that the change has touched only the number of findings of each rule can be told.
    codes = Counter(code for code, _ in left.elements())
    for index in moved:
        code = after.findings[index].finding.code
        if codes[code]:
            codes[code] -= 1
            hidden.add(index)
    return _hide(after, hidden)


def _place(document: Document, located: Located) -> Place:
    return document.units[located.unit].place(located.finding.region.start)


def _hide(examination: Examination, known: Collection[int]) -> Examination:
    findings = list(enumerate(examination.findings))
    return replace(
        examination,
        findings=tuple(located for index, located in findings if index not in known),
        hidden=examination.hidden + tuple(located for index, located in findings if index in known),
    )
