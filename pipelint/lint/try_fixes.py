"""Tries fixes out: what a document is with them, and what speaks against them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from pipelint.lint.apply_rules import DocumentFindings, UnitFinding, apply_rules
from pipelint.lint.fix_edits import with_edits
from pipelint.lint.known_findings import still_hidden
from pipelint.lint.same_findings import aftermath
from pipelint.lint.task import Fixes
from pipelint.model.edit import Edit
from pipelint.model.grades import Severity
from pipelint.model.repair import Decorate, RemoveArgument, RemoveStatements
from pipelint.project.projects import Project
from pipelint.rewrite.rewriter import Rewriter
from pipelint.source.document import Document
from pipelint.source.edits import merged
from pipelint.source.errors import FileError
from pipelint.source.files import load
from pipelint.static.parse import CannotParse, parse

_SWITCHES = (RemoveArgument, RemoveStatements)
"""Repairs that take away what may hold for the whole program: those of one rule stand and fall together."""
_UNCOVERING = (Decorate, *_SWITCHES)
"""Repairs that change how code elsewhere runs, such as what is traced: only a trial shows what that uncovers."""


@dataclass(frozen=True)
class Trial:
    """A document with fixes applied: what is found in it, and why they should not be."""

    found: DocumentFindings
    objection: str = ""


def try_fixes(
    project: Project,
    found: DocumentFindings,
    batch: Sequence[UnitFinding],
    fixes: Fixes,
    *,
    patient: bool = True,
    in_group: bool = False,
) -> Trial:
    """The document after a batch of fixes; raises CannotParse, ValueError or FileError if it cannot be.

    What speaks against them is a finding that they are for and that is still there, and one that was not there before;
    the latter, with patience, only if it has no wanted fix of its own. One that uncovers what works as it is gets none.
    The document is followed with what it imports and who imports it or, `in_group`, as one program with its group.
    """
    patient = patient and not any(_repairs_by(item, _UNCOVERING) for item in batch)
    document = applied(found.document, batch)
    after = still_hidden(found, apply_rules(project.with_document(document) if in_group else project, document))
    after = with_edits(project, after, fixes)
    became = aftermath(found, after, batch)
    if became.unmended:
        return Trial(after, f"it would leave {', '.join(sorted(became.unmended))} as it is")
    new = [item for item in became.appeared if not (patient and item.edits) and _speaks_against(item)]
    return Trial(after, _objection(after.document, new) if new else "")


def applied(document: Document, batch: Sequence[UnitFinding]) -> Document:
    """The document after a batch of fixes; raises CannotParse if it is no Python any more."""
    by_unit: dict[int, list[Sequence[Edit]]] = defaultdict(list)
    for item in batch:
        by_unit[item.unit].append(item.edits)
    # Two fixes of one line may each be short enough, and too long together.
    together = {
        unit: Rewriter(document.units[unit].text, None).fitted(tuple(merged(edits))) for unit, edits in by_unit.items()
    }
    result = load(document.path, document.with_edits(together))
    for error in result.errors:
        raise CannotParse(error.message, error.line)
    for cell in set(result.left_out) - set(document.left_out):
        raise CannotParse(f"cell {cell} is no Python any more")
    for index in by_unit:
        parse(result.units[index].text)
    return result


def without_uncovering(project: Project, found: DocumentFindings) -> DocumentFindings:
    """The findings as they are shown: a fix is not offered that would only bring others to light."""
    refused: dict[int, str] = {}
    for group in inseparable([item for item in found.findings if item.edits and _repairs_by(item, _UNCOVERING)]):
        try:
            trial = try_fixes(project, found, group, Fixes.ALL)
        except (CannotParse, ValueError, FileError):
            continue  # That is told when the fix is applied.
        refused.update((id(item), trial.objection) for item in group if trial.objection)
    return without_fixes(found, refused)


def without_fixes(found: DocumentFindings, refused: Mapping[int, str]) -> DocumentFindings:
    """The findings without the fixes that are refused, which are given by identity, each with the reason."""
    findings = (item.without_fix(refused[id(item)]) if id(item) in refused else item for item in found.findings)
    return replace(found, findings=tuple(findings))


def inseparable(items: Sequence[UnitFinding]) -> list[list[UnitFinding]]:
    """Fixes in the groups that are applied together or not at all; most are alone."""
    groups: dict[object, list[UnitFinding]] = {}
    for item in items:
        key = (item.unit, item.finding.code) if _repairs_by(item, _SWITCHES) else id(item)
        groups.setdefault(key, []).append(item)
    return list(groups.values())


def _speaks_against(item: UnitFinding) -> bool:
    """Whether something is wrong that a fix brings to light, and not only what could be done next."""
    return item.finding.severity is not Severity.ADVICE


def _repairs_by(item: UnitFinding, kinds: tuple[type, ...]) -> bool:
    return item.finding.fix is not None and isinstance(item.finding.fix.repair, kinds)


def _objection(document: Document, new: Sequence[UnitFinding]) -> str:
    worst = max(new, key=lambda item: item.finding.severity.weight)
    place = document.units[worst.unit].place(worst.finding.region.start)
    line = f"line {place.line}" if place.cell is None else f"line {place.line} of cell {place.cell}"
    more = f", and {len(new) - 1} more" if len(new) > 1 else ""
    return f"it would make {worst.finding.code} ({worst.finding.name}) appear, in {line}{more}"
