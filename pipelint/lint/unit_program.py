"""The program that a file is part of: the modules that imports connect it with, else the file and what it imports."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path

from pipelint.model.finding import Finding
from pipelint.model.locations import Region
from pipelint.model.program import Program, Version
from pipelint.project.projects import Project
from pipelint.project.rule_contract import findings_of
from pipelint.rule import Rule
from pipelint.source.module_text import ModuleText
from pipelint.source.unit import Unit
from pipelint.static.analyse import analyse, analyse_together


@dataclass(frozen=True, eq=False)
class _Examined:
    """A program and what rules said of it so far."""

    program: Program
    findings: dict[Rule, list[Finding]] = field(default_factory=dict)

    def by(self, rule: Rule) -> list[Finding]:
        if rule not in self.findings:
            self.findings[rule] = list(findings_of(rule, rule.check(self.program), Region))
        return self.findings[rule]


@dataclass(frozen=True, eq=False)
class UnitProgram:
    """The facts of the program that one text is part of, and where the text stands in it."""

    _examined: _Examined
    start: int
    length: int

    @property
    def program(self) -> Program:
        """The facts."""
        return self._examined.program

    @property
    def given_up(self) -> str:
        """Why the program was not followed to its end, "" where it was."""
        return self.program.given_up

    def findings(self, rule: Rule) -> list[Finding]:
        """What a rule finds in this text, with places in it; a module for TensorFlow 1 has nothing that holds today."""
        own = Region(self.start, self.start + self.length)
        found = [finding for finding in self._examined.by(rule) if own.holds(finding.region)]
        return [self._placed(finding) for finding in found if not self.program.module_at(finding.region).legacy]

    def _placed(self, finding: Finding) -> Finding:
        if not self.start:
            return finding
        related = tuple(replace(note, location=self._local(note.region)) for note in finding.related)
        return replace(finding, location=self._local(finding.region), related=related)

    def _local(self, region: Region) -> Region:
        inside = Region(self.start, self.start + self.length).holds(region)
        return Region(region.start - self.start, region.end - self.start) if inside else region


def program_of(project: Project, path: Path, unit: Unit) -> UnitProgram:
    """The program that a unit of a file is part of; raises CannotParse.

    What takes too long to follow together is followed with less around it, at last alone.
    """
    modules = project.modules
    own = modules.importer(path).own
    connected = modules.connected(path) if own is not None and own.text == unit.text else ()
    if own is not None and own in connected:
        examined = _together(project, connected, project.target(path), project.newest(path))
        if not examined.program.given_up:
            return UnitProgram(examined, modules.space.of_line(own.first_line).first_offset, len(unit.text))
    program = _with_imports(project, path, unit)
    if program.given_up:
        program = analyse(unit.text, target=project.target(path), cell_ends=unit.cell_ends)
    program.timed = unit.timed
    program.admitted = project.newest(path)
    return UnitProgram(_Examined(program), 0, len(unit.text))


def _with_imports(project: Project, path: Path, unit: Unit) -> Program:
    return analyse(
        unit.text,
        target=project.target(path),
        cell_ends=unit.cell_ends,
        importer=project.modules.importer(path),
        around=project.modules.space,
    )


@cache
def _together(project: Project, modules: tuple[ModuleText, ...], target: Version, newest: Version) -> _Examined:
    program = analyse_together(modules, target=target, around=project.modules.space)
    program.admitted = newest
    return _Examined(program)
