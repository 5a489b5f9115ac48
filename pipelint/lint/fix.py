"""Works out what fixes make of a document, pass after pass until nothing changes; nothing is written here."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace

from pipelint.lint.apply_rules import DocumentFindings, UnitFinding, apply_rules
from pipelint.lint.fix_edits import with_edits
from pipelint.lint.known_findings import still_hidden
from pipelint.lint.task import Fixes
from pipelint.model.repair import Edit
from pipelint.project.projects import Project
from pipelint.source.document import Document
from pipelint.source.edits import compatible, merged
from pipelint.source.errors import FileError, internal_error
from pipelint.source.files import load
from pipelint.source.suppressions import noqa_edits
from pipelint.static.parse import CannotParse, parse

MOST_PASSES = 20


@dataclass(frozen=True)
class Fixed:
    """A document as it is left, with what is still found in it, and how many findings were mended or silenced."""

    found: DocumentFindings
    count: int = 0


def fix(project: Project, found: DocumentFindings, fixes: Fixes) -> Fixed:
    """Apply fixes, whose edits are worked out for the first pass.

    Where one breaks the source the document stays as it was, and the fault is a problem of it.
    """
    start, count = found, 0
    for _ in range(MOST_PASSES):
        batch = _choose(found)
        if not batch:
            return Fixed(found, count)
        try:
            document = _applied(found.document, batch)
        except FileError as error:
            return _failed(start, error)
        except (CannotParse, ValueError) as error:
            return _failed(start, _fault(found.document, batch, error))
        if document.data == found.document.data:
            return Fixed(found, count)
        found = with_edits(_again(project, found, document), fixes)
        if found.problems:
            return _failed(start, *found.problems)
        count += len(batch)
    codes = sorted({item.finding.code for item in _choose(found)})
    if not codes:
        return Fixed(found, count)
    message = f"fixes of {', '.join(codes)} do not come to an end in {MOST_PASSES} passes; please report it"
    return Fixed(replace(found, problems=(FileError(message, path=found.document.path),)), count)


def silence(project: Project, found: DocumentFindings) -> Fixed:
    """Add a `# noqa` comment for every finding about code."""
    edits: dict[int, list[Edit]] = {}
    for index, unit in enumerate(found.document.units):
        findings = [
            item.finding
            for item in found.findings
            if item.unit == index and not project.registry[item.finding.code].is_about_suppressions
        ]
        edits[index] = [edit for edit in noqa_edits(unit, findings) if unit.accepts([edit])]
    document = load(found.document.path, found.document.with_edits(edits))
    left = _again(project, found, document)
    return Fixed(left, len(found.findings) - len(left.findings))


def _again(project: Project, before: DocumentFindings, document: Document) -> DocumentFindings:
    """What is found after a change, with hidden what was hidden before."""
    return still_hidden(before, apply_rules(project, document))


def _choose(found: DocumentFindings) -> list[UnitFinding]:
    """The findings whose fixes are wanted, and so have edits, and can be applied together."""
    chosen: list[UnitFinding] = []
    for index in range(len(found.document.units)):
        wanted = [item for item in found.findings if item.unit == index and item.edits]
        chosen += [wanted[position] for position in compatible([item.edits for item in wanted])]
    return chosen


def _applied(document: Document, batch: Sequence[UnitFinding]) -> Document:
    """The document after a batch of fixes; raises CannotParse if it is no Python any more."""
    by_unit: dict[int, list[Sequence[Edit]]] = defaultdict(list)
    for item in batch:
        by_unit[item.unit].append(item.edits)
    result = load(document.path, document.with_edits({unit: merged(edits) for unit, edits in by_unit.items()}))
    for error in result.errors:
        raise CannotParse(error.message, error.line)
    for cell in set(result.left_out) - set(document.left_out):
        raise CannotParse(f"cell {cell} is no Python any more")
    for index in by_unit:
        parse(result.units[index].text)
    return result


def _failed(start: DocumentFindings, *problems: FileError) -> Fixed:
    return Fixed(replace(start, problems=(*start.problems, *problems)))


def _fault(document: Document, batch: Sequence[UnitFinding], error: CannotParse | ValueError) -> FileError:
    """Which fix of a batch breaks the source, found by trying one after the other."""
    for item in batch:
        try:
            _applied(document, [item])
        except (CannotParse, ValueError) as own:
            finding = item.finding
            line = document.units[item.unit].place(finding.region.start).line
            return internal_error(f"the fix of {finding.code} ({finding.name}) in line {line}", own, document.path)
    return internal_error("fixes that break the source together", error, document.path)
