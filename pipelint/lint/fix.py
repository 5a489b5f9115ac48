"""Works out what fixes make of a document, pass after pass until nothing changes; nothing is written here."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace

from pipelint.lint.apply_rules import DocumentFindings, UnitFinding
from pipelint.lint.results import RuleName
from pipelint.lint.same_findings import aftermath
from pipelint.lint.task import Fixes
from pipelint.lint.try_fixes import Trial, applied, inseparable, try_fixes, without_fixes
from pipelint.model.locations import Location
from pipelint.model.repair import Append, AssignBack, JoinStages, MoveAfter, RemoveStage
from pipelint.project.projects import Project
from pipelint.source.document import Document
from pipelint.source.edits import compatible
from pipelint.source.errors import FileError, internal_error
from pipelint.static.parse import CannotParse

MOST_PASSES = 20
"""How long a fix may rely on later ones to mend what it brings to light; some would wake each other forever."""


@dataclass(frozen=True)
class Fixed:
    """A document as it is left, with what is still found in it, and the rules of what was mended or silenced."""

    found: DocumentFindings
    mended: tuple[RuleName, ...] = ()
    """One for each finding."""


def fix(project: Project, found: DocumentFindings, fixes: Fixes) -> Fixed:
    """Apply fixes, whose edits are worked out for the first pass, but none that makes other findings appear.

    Where one breaks the source the document stays as it was, and the fault is a problem of it.
    """
    # What a fix brings to light may be mended by the next pass. Only where it is not, each pass must hold by itself.
    patient = _Passes(project, fixes, patient=True).over(found, MOST_PASSES)
    mended = [item for item in found.findings if item.edits]
    settled = patient is not None and patient.found.problems == found.problems
    if patient and settled and not aftermath(found, patient.found, mended).appeared:
        return patient
    # Each pass that holds by itself leaves fewer findings than it found.
    return _Passes(project, fixes, patient=False).over(found, len(found.findings) + 1) or Fixed(found)


class _Passes:
    """Passes over a document: each applies what can be applied together and makes nothing worse."""

    def __init__(self, project: Project, fixes: Fixes, *, patient: bool) -> None:
        self._project = project
        self._fixes = fixes
        self._patient = patient

    def over(self, start: DocumentFindings, most: int) -> Fixed | None:
        """The document when a pass has changed nothing more; None where not even the last of so many has."""
        found = start
        mended: tuple[RuleName, ...] = ()
        for _ in range(most):
            try:
                after, now = self._pass(found)
            except _Fault as fault:
                return Fixed(replace(start, problems=(*start.problems, *fault.problems)))
            if after.document.data == found.document.data:
                return Fixed(after, mended)
            found, mended = after, mended + now
        return None

    def _pass(self, found: DocumentFindings) -> tuple[DocumentFindings, tuple[RuleName, ...]]:
        """The document after one pass and the rules of what that mended; where nothing can be, with the reasons."""
        refused: dict[int, str] = {}
        while batch := _choose(found, refused):
            accepted: list[UnitFinding] = []
            best: Trial | None = None
            pending = [inseparable(batch)]
            while pending:
                groups = pending.pop()
                part = [item for group in groups for item in group]
                trial = self._try(found, [*accepted, *part], together=bool(accepted) or len(groups) > 1)
                if not trial.objection:
                    accepted, best = [*accepted, *part], trial
                elif len(groups) == 1:
                    refused.update((id(item), trial.objection) for item in part)
                else:
                    middle = len(groups) // 2
                    pending += [groups[middle:], groups[:middle]]
            if best is not None:
                return best.found, tuple(RuleName(item.finding.code, item.finding.name) for item in accepted)
        return without_fixes(found, refused), ()

    def _try(self, found: DocumentFindings, batch: Sequence[UnitFinding], *, together: bool) -> Trial:
        """The document after a batch; what could as well be done one after the other is not to blame for a fault."""
        try:
            trial = try_fixes(self._project, found, batch, self._fixes, patient=self._patient, in_group=True)
        except FileError as error:
            raise _Fault(error) from error
        except (CannotParse, ValueError) as error:
            if together:
                return Trial(found, "together with another fix it would break the source")
            raise _Fault(self._culprit(found.document, batch, error)) from error
        if trial.found.problems:
            raise _Fault(*trial.found.problems)
        return trial

    def _culprit(self, document: Document, batch: Sequence[UnitFinding], error: CannotParse | ValueError) -> FileError:
        """Which fix of a batch breaks the source, found by trying one after the other."""
        for item in batch:
            try:
                applied(document, [item])
            except (CannotParse, ValueError) as own:
                finding = item.finding
                line = document.units[item.unit].place(finding.region.start).line
                what = f"the fix of {finding.code} ({finding.name}) in line {line}"
                return internal_error(what, own, document.path, self._project.registry[finding.code].foreign_origin)
        return internal_error("fixes that break the source together", error, document.path)


class _Fault(Exception):  # noqa: N818 - it says what happened
    """A fix breaks the source, or what pipelint knows of it."""

    def __init__(self, *problems: FileError) -> None:
        super().__init__()
        self.problems = problems


def _choose(found: DocumentFindings, refused: Collection[int] = ()) -> list[UnitFinding]:
    """The findings whose fixes are wanted, and so have edits, and can be applied together."""
    chosen: list[UnitFinding] = []
    for index in range(len(found.document.units)):
        wanted = [item for item in found.findings if item.unit == index and item.edits and id(item) not in refused]
        changed = {call for item in wanted for call in _changed_calls(item)}
        ready = [item for item in wanted if not _is_too_early(item, changed)]
        chosen += [ready[position] for position in compatible([item.edits for item in ready])]
    return chosen


def _is_too_early(item: UnitFinding, changed: Collection[Location]) -> bool:
    """Whether a stage would be added to a pipeline that another fix changes, after which it may have that stage."""
    repair = item.finding.fix.repair if item.finding.fix else None
    if not changed or not isinstance(repair, Append):
        return False
    return any(stage.call in changed for pipeline in repair.dataset.variants for stage in pipeline.stages)


def _changed_calls(item: UnitFinding) -> Iterator[Location]:
    """The calls of the stages from the source of a pipeline to the one that a fix moves or takes away."""
    change = item.finding.fix.repair if item.finding.fix else None
    if isinstance(change, (AssignBack, JoinStages, MoveAfter, RemoveStage)):
        yield from (stage.call for stage in (change.stage, *change.stage.upstream()))
