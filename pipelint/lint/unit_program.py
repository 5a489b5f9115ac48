"""The program that a file is part of: the modules that imports connect it with, else the file and what it imports."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path

from pipelint.model.finding import Finding
from pipelint.model.locations import Region
from pipelint.model.program import Program
from pipelint.model.tensorflow_version import Versions
from pipelint.project.projects import Project
from pipelint.project.rule_contract import findings_of
from pipelint.rule import Rule
from pipelint.source.module_text import ModuleText
from pipelint.source.paths import absolute
from pipelint.source.unit import Unit
from pipelint.static.analyse import analyse, analyse_together
from pipelint.static.parse import parse_module


@dataclass(frozen=True, eq=False)
class _Examined:
    """A program and what rules said of it so far, with what made them fail."""

    program: Program
    _said: dict[Rule, tuple[list[Finding], BaseException | None]] = field(default_factory=dict)

    def by(self, rule: Rule) -> Iterator[Finding]:
        if rule not in self._said:
            found: list[Finding] = []
            try:
                found.extend(findings_of(rule, rule.check(self.program), Region))
                self._said[rule] = found, None
            except (Exception, SystemExit) as error:  # noqa: BLE001 - it is raised below, for every file of the program
                self._said[rule] = found, error
        found, failure = self._said[rule]
        yield from found
        if failure is not None:
            raise failure


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

    def findings(self, rule: Rule) -> Iterator[Finding]:
        """What a rule finds in this text, with places in it.

        A module for TensorFlow 1 has nothing that holds today, and code that the program never gets to costs nothing.
        """
        program = self.program
        if program.was_run_with_1:
            return
        for finding in self._examined.by(rule):
            place = finding.region
            if self._own.holds(place) and not program.module_at(place).legacy and not program.rests(place):
                yield self._placed(finding)

    def _placed(self, finding: Finding) -> Finding:
        if not self.start:
            return finding
        related = tuple(replace(note, location=self._local(note.region)) for note in finding.related)
        return replace(finding, location=self._local(finding.region), related=related)

    def _local(self, region: Region) -> Region:
        own = self._own.holds(region)
        return Region(region.start - self.start, region.end - self.start) if own else region

    @property
    def _own(self) -> Region:
        return Region(self.start, self.start + self.length)


def program_of(project: Project, path: Path, unit: Unit) -> UnitProgram:
    """The program that a unit of a file is part of; raises CannotParse.

    What takes too long to follow together is followed with less around it, at last alone.
    """
    importer = project.modules(absolute(path)).importer(absolute(path))
    own = importer.own
    versions = Versions(
        project.target(path),
        project.newest(path),
        project.oldest(path, unit.run_with),
        project.written_for(path, unit.run_with),
        unit.tells_release or project.names_release(path),
        project.asks_for_target(path),
    )
    together = importer.together() if own is not None and own.text == unit.text else ()
    if own is not None and own in together and parse_module(own) is not None:
        examined = _examined_together(project, together, versions)
        if not examined.program.given_up:
            return UnitProgram(examined, project.space.of_line(own.first_line).first_offset, len(unit.text))
    program = analyse(
        unit.text, target=versions.target, cell_ends=unit.cell_ends, importer=importer, around=project.space
    )
    if program.given_up:
        program = analyse(unit.text, target=versions.target, cell_ends=unit.cell_ends)
    program.timed = unit.timed
    program = program.run_by(versions)
    program.last_shown = None if versions.is_asked_for else unit.last_shown
    return UnitProgram(_Examined(program), 0, len(unit.text))


@lru_cache(maxsize=8)  # the directories of one program may ask for different versions of TensorFlow
def _examined_together(project: Project, modules: tuple[ModuleText, ...], versions: Versions) -> _Examined:
    program = _together(project, modules)
    if isinstance(program, Exception):
        raise program
    return _Examined(program.run_by(versions))


@lru_cache(maxsize=4)  # the program of the files at hand, and those that it is compared with: they are large
def _together(project: Project, modules: tuple[ModuleText, ...]) -> Program | Exception:
    try:
        return analyse_together(modules, around=project.space)
    except Exception as error:  # noqa: BLE001 - it is raised for every file of the group, and found out once
        return error


def forget_programs() -> None:
    """Let go of programs that no file at hand is part of."""
    _examined_together.cache_clear()
    _together.cache_clear()
