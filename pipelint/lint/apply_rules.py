"""Asks the rules about one document, and keeps the run alive when one of them fails."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from pipelint.model.grades import Safety
from pipelint.model.locations import Region
from pipelint.project.projects import Project
from pipelint.source.document import Document
from pipelint.source.errors import FileError, internal_error
from pipelint.source.paths import absolute
from pipelint.source.relevance import may_matter
from pipelint.source.unit import Unit
from pipelint.static.parse import CannotParse, parse

if TYPE_CHECKING:
    # The model is large, and a file without TensorFlow never meets it.
    from pipelint.lint.unit_program import UnitProgram
    from pipelint.model.edit import Edit
    from pipelint.model.finding import Finding, Fix
    from pipelint.rule import Rule
    from pipelint.source.address_space import Stretch
    from pipelint.source.suppressions import Suppressions


@dataclass(frozen=True)
class UnitFinding:
    """A finding and the index of the unit that it is in."""

    unit: int
    finding: Finding
    edits: tuple[Edit, ...] = ()
    """The edits of its fix, once `fix_edits` has worked them out, if they are all in the unit itself."""
    elsewhere: Mapping[Stretch | None, tuple[Edit, ...]] = field(default_factory=dict)
    """The edits of a fix that changes other modules, by module, None for the unit itself."""
    unfixed: str = ""
    """Why a fix that its rule has in mind cannot be applied, in words that follow `no fix:`."""
    guest: UnitFinding | None = None
    """The finding of another file that it stands for while the fix of that changes this one."""

    def without_fix(self, why: str) -> UnitFinding:
        """The finding as it is shown where its fix cannot be applied."""
        return replace(self, finding=replace(self.finding, fix=None), edits=(), elsewhere={}, unfixed=why)


@dataclass(frozen=True)
class DocumentFindings:
    """What the rules say of a document, and what kept them from saying more."""

    document: Document
    findings: tuple[UnitFinding, ...]
    problems: tuple[FileError, ...]
    programs: tuple[UnitProgram | None, ...]
    """The facts of each unit, where there was a reason to look for them."""
    hidden: tuple[UnitFinding, ...] = ()
    """Findings that are known and neither reported nor fixed."""


def apply_rules(project: Project, document: Document, *, ruled_as: Path | None = None) -> DocumentFindings:
    """The findings in every unit of a document, without those that are suppressed.

    The rules are those of the file `ruled_as`, where another is named.
    """
    findings: list[UnitFinding] = []
    problems = list(document.errors)
    programs: list[UnitProgram | None] = []
    for index, unit in enumerate(document.units):
        check = _UnitCheck(project, document.path, unit, ruled_as or document.path)
        findings += [_as_configured(project, index, finding) for finding in check.findings()]
        problems += check.problems
        programs.append(check.program)
    return DocumentFindings(document, tuple(findings), tuple(problems), tuple(programs))


def _as_configured(project: Project, unit: int, finding: Finding) -> UnitFinding:
    item = UnitFinding(unit, project.graded(finding))
    return item if finding.fix is None or project.may_fix(finding) else item.without_fix("the settings leave it to you")


class _UnitCheck:
    """The rules at work on one unit."""

    def __init__(self, project: Project, path: Path, unit: Unit, ruled_as: Path) -> None:
        self._project = project
        self._path = path
        self._unit = unit
        self._ruled_as = ruled_as
        self.program: UnitProgram | None = None
        self.problems: list[FileError] = []

    @cached_property
    def _rules(self) -> Sequence[Rule]:
        return self._project.rules(self._ruled_as)

    def findings(self) -> Iterator[Finding]:
        """What the rules find and no comment suppresses."""
        found = _distinct(self._about_code())
        if self._project.overrides.ignore_noqa:
            yield from found
            return
        # Reading comments costs as much as parsing, and most files have nothing to silence and none of ours.
        if not found and not self._project.registry.named_by(self._unit.text):
            return
        if not may_matter(self._unit.text) and not _is_python(self._unit.text):
            return
        from pipelint.source.suppressions import Suppressions

        suppressions = Suppressions(self._unit)
        yield from (finding for finding in found if not suppressions.suppresses(finding))
        # A comment may be there for what a rule that failed or was not loaded would have found, or any in a program
        # that was given up.
        given_up = self.program is not None and self.program.given_up
        if not self.problems and not given_up and self._project.has_all_rules:
            yield from self._about_suppressions(suppressions)

    def _about_suppressions(self, suppressions: Suppressions) -> Iterator[Finding]:
        from pipelint.project.rule_contract import findings_of  # as above

        registry = self._project.registry
        ran = [rule.code for rule in self._rules if not registry[rule.code].is_about_suppressions]
        unused = list(suppressions.unused(registry.known, ran, registry.usual))
        for rule in self._rules:
            with self._reporting(rule):
                for finding in findings_of(rule, rule.check_suppressions(unused), Region):
                    if not suppressions.suppresses(finding, named=True):
                        yield finding

    def _about_code(self) -> Iterator[Finding]:
        program = self._read()
        if program is None:
            return
        for rule in self._rules:
            with self._reporting(rule):
                yield from program.findings(rule)

    def _read(self) -> UnitProgram | None:
        """The facts of the unit; None where it has none for any rule, or cannot be parsed."""
        try:
            if not may_matter(self._unit.text) and not self._imports_what_matters():
                return None  # it is not our business, and neither is its syntax
            if not self._has_words_of_rules():
                parse(self._unit.text)  # that it cannot be is told whatever the rules are
                return None
            from pipelint.lint.unit_program import program_of  # the interpreter is large, and most files never meet it

            self.program = program_of(self._project, self._path, self._unit)
        except CannotParse as error:
            if not may_matter(self._unit.text):
                return None
            place = self._unit.place(self._unit.lines.start(error.line)) if error.line else None
            cell, line = (place.cell, place.line) if place else (None, None)
            self.problems.append(FileError(error.message, line=line, cell=cell, path=self._path))
        except Exception as error:  # noqa: BLE001 - a fault in one file must not cost the others
            self.problems.append(internal_error("the analysis", error, self._path))
        return self.program

    def _imports_what_matters(self) -> bool:
        path = absolute(self._path)
        return self._project.modules(path).graph.matters(path)

    def _has_words_of_rules(self) -> bool:
        """Whether any rule about code could find something, by the words that each has."""
        registry, path = self._project.registry, absolute(self._path)
        asked = [rule for rule in self._rules if not registry[rule.code].is_about_suppressions]
        words = {word for rule in asked for word in rule.words}
        return (
            not all(rule.words for rule in asked)
            or any(word in self._unit.text for word in words)
            or self._project.modules(path).graph.says_one_of(path, words)
        )

    @contextmanager
    def _reporting(self, rule: Rule) -> Iterator[None]:
        from pipelint.project.rule_contract import ImproperFinding  # as above

        try:
            yield
        except ImproperFinding as error:
            self.problems.append(FileError(str(error), path=self._path))
        except (Exception, SystemExit) as error:  # noqa: BLE001 - as above, and no rule ends the run
            origin = self._project.registry[rule.code].foreign_origin
            self.problems.append(internal_error(f"{rule.code} ({rule.name})", error, self._path, origin))


def _is_python(text: str) -> bool:
    try:
        parse(text)
    except CannotParse:
        return False
    return True


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
