"""Which findings are the same before and after a change to their document, and which the change makes appear."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pipelint.lint.apply_rules import DocumentFindings, UnitFinding
from pipelint.source.alignment import Alignment
from pipelint.source.document import Document
from pipelint.source.lines import Position


def origins(
    before: Document, known: Iterable[UnitFinding], after: DocumentFindings, movable: Iterable[UnitFinding] = ()
) -> dict[int, UnitFinding]:
    """What the findings after a change were before it, by their indices.

    In lines that the change has touched only the number of findings of each rule can be told. In another line a finding
    is new, unless it is one of those that are `movable`: a change to a pipeline may well change where it is found.
    """
    free = set(map(id, movable))
    alignment = Alignment(before, after.document)
    left: dict[tuple[str, Position], list[UnitFinding]] = defaultdict(list)
    for item in known:
        left[item.finding.code, _position(before, item)].append(item)
    found: dict[int, UnitFinding] = {}
    places = [alignment.origin(_position(after.document, item)) for item in after.findings]
    for index, (item, place) in enumerate(zip(after.findings, places, strict=True)):
        same = left.get((item.finding.code, place), []) if place else []
        if same:
            found[index] = same.pop()
    rest = [item for items in left.values() for item in items]
    for index in sorted(set(range(len(places))) - set(found), key=lambda index: -_weight(after.findings[index])):
        code, is_touched = after.findings[index].finding.code, places[index] is None
        alike = [item for item in rest if item.finding.code == code and (is_touched or id(item) in free)]
        if alike:
            found[index] = max(alike, key=_weight)
            rest.remove(found[index])
    return found


@dataclass(frozen=True)
class Aftermath:
    """What became of the findings of a document when some of them were mended."""

    appeared: tuple[UnitFinding, ...]
    """Those that were not there, or less severe, before."""
    unmended: frozenset[str]
    """The codes of which as many are left as if not all had been mended that were to be."""


def aftermath(before: DocumentFindings, after: DocumentFindings, mended: Sequence[UnitFinding]) -> Aftermath:
    """What a change that is to mend some findings does to them and to the others."""
    gone = set(map(id, mended))
    others = [item for item in before.findings if id(item) not in gone]
    was = origins(before.document, before.findings, after, movable=others)
    new = (item for index, item in enumerate(after.findings) if index not in was or _weight(was[index]) < _weight(item))
    left, untouched = (Counter(item.finding.code for item in items) for items in (was.values(), others))
    fewer = _places(before.findings) - _places(after.findings)
    wanted = Counter(item.finding.code for item in mended)
    stuck = (code for code, count in wanted.items() if left[code] > untouched[code] and fewer[code] < count)
    return Aftermath(tuple(new), frozenset(stuck))


def _places(findings: Iterable[UnitFinding]) -> Counter[str]:
    """How many places the findings of each rule speak of: a fix may mend one of two that one finding names."""
    return Counter(item.finding.code for item in findings for _ in range(1 + len(item.finding.related)))


def _position(document: Document, found: UnitFinding) -> Position:
    return document.units[found.unit].place(found.finding.region.start)


def _weight(item: UnitFinding) -> int:
    return item.finding.severity.weight
