"""Works out what fixes make of a document, pass after pass until nothing changes; nothing is written here."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum

from pipelint.lint.examine import Examination, Located, examine
from pipelint.lint.known import still_hidden
from pipelint.model.grades import Safety
from pipelint.model.repair import Edit
from pipelint.project.projects import Project
from pipelint.source.document import Document, FileError, load
from pipelint.source.edits import compatible, merged
from pipelint.source.errors import internal_error
from pipelint.source.suppressions import noqa_edits
from pipelint.static import CannotParse, parse

MOST_PASSES = 20


class Fixes(Enum):
    """Which fixes to apply."""

    NONE = "none"
    SAFE = "safe"
    ALL = "all"

    def allow(self, safety: Safety) -> bool:
        """Whether a fix of this safety is wanted."""
        return self is Fixes.ALL or (self is Fixes.SAFE and safety is Safety.SAFE)


@dataclass(frozen=True)
class Fixed:
    """A document as it is left, with what is still found in it, and how many findings were mended or silenced."""

    examination: Examination
    count: int = 0


def fix(project: Project, examination: Examination, fixes: Fixes) -> Fixed:
    """Apply fixes. Where one breaks the source the document stays as it was, and the fault is a problem of it."""
    start, count = examination, 0
    for _ in range(MOST_PASSES):
        batch = _choose(examination, fixes)
        if not batch:
            return Fixed(examination, count)
        try:
            document = _applied(examination.document, batch)
        except FileError as error:
            return _failed(start, error)
        except (CannotParse, ValueError) as error:
            return _failed(start, _fault(examination.document, batch, error))
        if document.data == examination.document.data:
            return Fixed(examination, count)
        examination = still_hidden(examination, examine(project, document))
        if examination.problems:
            return _failed(start, *examination.problems)
        count += len(batch)
    codes = sorted({located.finding.code for located in _choose(examination, fixes)})
    if not codes:
        return Fixed(examination, count)
    message = f"fixes of {', '.join(codes)} do not come to an end in {MOST_PASSES} passes; please report it"
    return Fixed(replace(examination, problems=(FileError(message, path=examination.document.path),)), count)


def silence(project: Project, examination: Examination) -> Fixed:
    """Add a `# noqa` comment for every finding about code."""
    edits: dict[int, list[Edit]] = {}
    for index, unit in enumerate(examination.document.units):
        findings = [
            located.finding
            for located in examination.findings
            if located.unit == index and not project.registry[located.finding.code].examines_suppressions
        ]
        edits[index] = [edit for edit in noqa_edits(unit, findings) if unit.accepts([edit])]
    document = load(examination.document.path, examination.document.with_edits(edits))
    left = still_hidden(examination, examine(project, document))
    return Fixed(left, len(examination.findings) - len(left.findings))


def _choose(examination: Examination, fixes: Fixes) -> list[Located]:
    """The findings whose fixes are wanted and can be applied together."""
    chosen: list[Located] = []
    for index in range(len(examination.document.units)):
        wanted = [
            located
            for located in examination.findings
            if located.unit == index and located.finding.fix and fixes.allow(located.finding.fix.safety)
        ]
        chosen += [wanted[position] for position in compatible([located.edits for located in wanted])]
    return chosen


def _applied(document: Document, batch: Sequence[Located]) -> Document:
    """The document after a batch of fixes; raises CannotParse if it is no Python any more."""
    by_unit: dict[int, list[Sequence[Edit]]] = defaultdict(list)
    for located in batch:
        by_unit[located.unit].append(located.edits)
    result = load(document.path, document.with_edits({unit: merged(edits) for unit, edits in by_unit.items()}))
    for error in result.errors:
        raise CannotParse(error.message, error.line)
    for index in by_unit:
        parse(result.units[index].text)
    return result


def _failed(start: Examination, *problems: FileError) -> Fixed:
    return Fixed(replace(start, problems=(*start.problems, *problems)))


def _fault(document: Document, batch: Sequence[Located], error: CannotParse | ValueError) -> FileError:
    """Which fix of a batch breaks the source, found by trying one after the other."""
    for located in batch:
        try:
            _applied(document, [located])
        except (CannotParse, ValueError) as own:
            finding = located.finding
            line = document.units[located.unit].place(finding.region.start).line
            return internal_error(f"the fix of {finding.code} ({finding.name}) in line {line}", own, document.path)
    return internal_error("fixes that break the source together", error, document.path)
