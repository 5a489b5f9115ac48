"""Asks the rules about one document, and keeps the run alive when one of them fails."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

from pipelint.model.finding import Finding, Fix
from pipelint.model.grades import Safety
from pipelint.model.locations import Region
from pipelint.model.program import Program
from pipelint.model.repair import Edit
from pipelint.project.projects import Project
from pipelint.rewrite.rewriter import Rewriter
from pipelint.rule import Rule
from pipelint.source.document import Document, FileError, Unit
from pipelint.source.errors import internal_error
from pipelint.source.suppressions import Suppressions
from pipelint.static import CannotParse, analyse, may_matter, parse


@dataclass(frozen=True)
class Located:
    """A finding and the index of the unit that it is in."""

    unit: int
    finding: Finding
    edits: tuple[Edit, ...] = ()
    """The edits of the finding's fix, none where it has no fix."""


@dataclass(frozen=True)
class Examination:
    """What the rules say of a document, and what kept them from saying more."""

    document: Document
    findings: tuple[Located, ...]
    problems: tuple[FileError, ...]
    hidden: tuple[Located, ...] = ()
    """Findings that are known and neither reported nor fixed."""


def examine(project: Project, document: Document) -> Examination:
    """The findings in every unit of a document, without those that are suppressed."""
    findings: list[Located] = []
    problems = list(document.errors)
    for index, unit in enumerate(document.units):
        inspection = _Inspection(project, document.path, unit)
        findings += [Located(index, finding, edits) for finding, edits in inspection.run()]
        problems += inspection.problems
    return Examination(document, tuple(findings), tuple(problems))


def _distinct(findings: Iterable[Finding]) -> list[Finding]:
    """One finding for each rule and place, the most severe, with the most careful of their fixes.

    A stage belongs to as many pipelines as there are ways through the program, and may be found in each.
    """
    best: dict[tuple[str, Region], Finding] = {}
    for finding in findings:
        key = (finding.code, finding.region)
        other = best.setdefault(key, finding)
        if other is not finding:
            worse = finding if finding.severity.weight > other.severity.weight else other
            best[key] = replace(worse, fix=min(finding.fix, other.fix, key=_trust))
    return list(best.values())


def _trust(fix: Fix | None) -> int:
    return 0 if fix is None else 1 if fix.safety is Safety.UNSAFE else 2


@dataclass
class _Inspection:
    """The rules at work on one unit."""

    project: Project
    path: Path
    unit: Unit
    problems: list[FileError] = field(default_factory=list)
    program: Program | None = None

    def run(self) -> Iterator[tuple[Finding, tuple[Edit, ...]]]:
        rules = self.project.rules(self.path)
        found = _distinct(self._about_code(rules))
        # Reading comments costs as much as parsing, and most files have nothing to silence and none of ours.
        if not found and not self.project.registry.named_by(self.unit.text):
            return
        suppressions = Suppressions(self.unit)
        for finding in found:
            if not suppressions.suppresses(finding):
                yield self._settled(finding)
        # What a rule that failed would have found may be what a comment is there for.
        if not self.problems:
            yield from self._about_suppressions(rules, suppressions)

    def _about_suppressions(
        self, rules: Sequence[Rule], suppressions: Suppressions
    ) -> Iterator[tuple[Finding, tuple[Edit, ...]]]:
        registry = self.project.registry
        ran = [rule.code for rule in rules if not registry[rule.code].examines_suppressions]
        unused = list(suppressions.unused(registry.known, ran, registry.usual))
        for rule in rules:
            with self._reporting(rule):
                for finding in rule.check_suppressions(unused):
                    if not suppressions.suppresses(finding, named=True):
                        yield self._settled(finding)

    def _about_code(self, rules: Sequence[Rule]) -> Iterator[Finding]:
        try:
            if not may_matter(self.unit.text):
                parse(self.unit.text)
                return
            self.program = analyse(self.unit.text, target=self.project.target(self.path), cell_ends=self.unit.cell_ends)
        except CannotParse as error:
            place = self.unit.place(self.unit.lines.start(error.line)) if error.line else None
            cell, line = (place.cell, place.line) if place else (None, None)
            self.problems.append(FileError(error.message, line=line, cell=cell, path=self.path))
            return
        except Exception as error:  # noqa: BLE001 - a fault in one file must not cost the others
            self.problems.append(internal_error("the analysis", error, self.path))
            return
        for rule in rules:
            with self._reporting(rule):
                yield from rule.check(self.program)

    def _settled(self, finding: Finding) -> tuple[Finding, tuple[Edit, ...]]:
        """The finding as configured, with the edits of its fix, or without a fix that the source cannot take."""
        finding = self.project.graded(finding)
        if finding.fix is None:
            return finding, ()
        try:
            edits = self._rewriter.edits(finding.fix.repair)
        except Exception as error:  # noqa: BLE001 - as above
            self.problems.append(internal_error(f"the fix of {finding.code} ({finding.name})", error, self.path))
            edits = ()
        fits = bool(edits) and self.unit.accepts(edits)
        return (finding, edits) if fits else (replace(finding, fix=None), ())

    @cached_property
    def _rewriter(self) -> Rewriter:
        return Rewriter(self.unit.text, self.program)

    @contextmanager
    def _reporting(self, rule: Rule) -> Iterator[None]:
        try:
            yield
        except Exception as error:  # noqa: BLE001 - as above
            self.problems.append(internal_error(f"{rule.code} ({rule.name})", error, self.path))
