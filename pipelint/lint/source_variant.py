"""The user's files with edits that are written nowhere: what rules find in them, and what repairs make of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from pipelint.lint.apply_rules import DocumentFindings, apply_rules
from pipelint.lint.fix_edits import with_edits
from pipelint.lint.results import Change, ChangedText
from pipelint.lint.task import Fixes
from pipelint.lint.unit_program import UnitProgram, forget_programs
from pipelint.model.edit import Edit
from pipelint.model.feed import Feed
from pipelint.model.finding import Finding
from pipelint.model.locations import Location, Place, Region
from pipelint.model.pipeline import Dataset, Pipeline, Stage
from pipelint.model.program import Program
from pipelint.model.repair import Repair
from pipelint.project.projects import Project
from pipelint.rewrite.program_rewriter import ProgramRewriter
from pipelint.rewrite.rewriter import Rewriter
from pipelint.rewrite.syntax import Unfit
from pipelint.source.address_space import Stretch
from pipelint.source.document import Document
from pipelint.source.errors import FileError
from pipelint.source.files import load
from pipelint.source.line_matcher import LineMatcher
from pipelint.source.paths import absolute, cell_name, place_of, shown_path
from pipelint.static.parse import CannotParse, parse

FileContents = Mapping[Path, bytes]
"""What stands in for files, by their absolute paths."""
_CANNOT = "the source cannot take it"


class CannotEdit(Exception):  # noqa: N818 - an answer, not an error
    """The source cannot take a repair; it says why."""


@dataclass(frozen=True)
class FoundFix:
    """A fix of a rule, with what it makes of the files."""

    finding: Finding
    place: Place
    contents: FileContents


class SourceVariant:
    """Files of a program that stand together, some of them edited."""

    def __init__(self, project: Project, files: Sequence[Path], contents: FileContents | None = None) -> None:
        """`files` are read in this order, each with what it imports: the script first."""
        self.contents: FileContents = dict(contents or {})
        self._files = [absolute(path) for path in dict.fromkeys(files)]
        self._original = project
        edited = {place_of(path): data for path, data in self.contents.items()}
        self._project = project.with_files(edited) if edited else project

    def with_contents(self, contents: FileContents) -> SourceVariant:
        """The same files with other edits."""
        return SourceVariant(self._original, self._files, contents)

    @cached_property
    def _found(self) -> list[DocumentFindings]:
        found = []
        for path in self._files:
            try:
                found.append(apply_rules(self._project, load(path, self.contents.get(path))))
            except FileError:
                continue  # A file that cannot be read has nothing to change.
        forget_programs()
        return found

    def fixes(self) -> Iterator[FoundFix]:
        """What the rules would mend, safe or not, one by one."""
        for found in self._found:
            for item in with_edits(self._project, found, Fixes.ALL).findings:
                if item.finding.fix is None or not (item.edits or item.elsewhere):
                    continue
                try:
                    contents = self._edited(found, item.unit, {None: item.edits} if item.edits else item.elsewhere)
                except CannotEdit:
                    continue
                yield FoundFix(item.finding, self._place(found, item.unit, item.finding.location), contents)

    def place_of_stage(self, stage: Stage) -> Place | None:
        """Where a stage of these files stands, as a program that runs has it."""
        for found in self._found:
            for index, known in enumerate(found.programs):
                if known is not None and stage in _stages(known):
                    return self._place_in_program(found, index, known, stage.name)
        return None

    @cached_property
    def _stages_by_place(self) -> dict[tuple[str, int, str], list[tuple[Place, Stage, int, int]]]:
        """Every stage under its file, line and operation, with the document and the unit that it was found from."""
        stages: dict[tuple[str, int, str], list[tuple[Place, Stage, int, int]]] = {}
        for number, found in enumerate(self._found):
            for index, known in enumerate(found.programs):
                if known is None:
                    continue
                for stage in _stages(known):
                    place = self._place_in_program(found, index, known, stage.name)
                    stages.setdefault((place.path, place.line, stage.op), []).append((place, stage, number, index))
        return stages

    def counterparts(self, live: Stage) -> list[tuple[Stage, int, int]]:
        """The stages of the source that a stage of the running program is."""
        place = live.place
        if place is None:
            return []
        near = self._stages_by_place.get((place.path, place.line, live.op), [])
        exact = [each for each in near if place.column in (None, each[0].column)]
        return [(stage, number, index) for _, stage, number, index in exact or near]

    def counterpart_in(self, pipeline: Pipeline, live: Stage) -> Stage | None:
        """The stage of one way to build a dataset that a stage of the running program is."""
        here = set(pipeline.every_stage)
        return next((stage for stage, _, _ in self.counterparts(live) if stage in here), None)

    def dataset_of(self, live: Sequence[Stage]) -> tuple[Dataset, int, int] | None:
        """The dataset of the source that has most of these stages."""
        votes: dict[Dataset, int] = {}
        homes: dict[Dataset, tuple[int, int]] = {}
        for stage in live:
            for other, number, index in self.counterparts(stage):
                dataset = other.pipeline.outermost.dataset if other.pipeline is not None else None
                if dataset is not None:
                    votes[dataset] = votes.get(dataset, 0) + 1
                    homes.setdefault(dataset, (number, index))
        if not votes:
            return None
        best = max(votes, key=lambda dataset: votes[dataset])
        return (best, *homes[best])

    def feed_at(self, place: Place) -> tuple[Feed, Program, tuple[int, int]] | None:
        """What the call there is given that is no tf.data dataset, with its program and where that was found from."""
        for number, found in enumerate(self._found):
            for index, known in enumerate(found.programs):
                for feed in known.program.feeds if known is not None else ():
                    if known is None or feed.call is None:
                        continue
                    at = self._place_in_program(found, index, known, feed.call.name)
                    if (at.path, at.line) == (place.path, place.line):
                        return feed, known.program, (number, index)
        return None

    def with_repair(self, repair: Repair, home: tuple[int, int]) -> FileContents:
        """What a repair makes of the files, whose stages were found from one of them; raises CannotEdit."""
        number, unit = home
        found = self._found[number]
        known, text = found.programs[unit], found.document.units[unit]
        assert known is not None
        try:
            edits = ProgramRewriter(text.text, known.program, known.start, self._project.space).edits(repair)
        except Unfit as unfit:
            raise CannotEdit(str(unfit) or _CANNOT) from unfit
        if not any(edits.values()) or (None in edits and not text.accepts(edits[None])):
            raise CannotEdit(_CANNOT)
        return self._edited(found, unit, edits)

    def _edited(
        self, found: DocumentFindings, unit: int, by_module: Mapping[Stretch | None, tuple[Edit, ...]]
    ) -> FileContents:
        """The files after edits of modules, None for the unit itself."""
        contents = dict(self.contents)
        by_document: list[tuple[Document, int, tuple[Edit, ...]]] = []
        for module, edits in by_module.items():
            if module is None:
                by_document.append((found.document, unit, edits))
            else:
                path = absolute(module.path)
                by_document.append((load(path, self.contents.get(path)), 0, edits))
        for document, index, changes in by_document:
            try:
                fitted = Rewriter(document.units[index].text, None).fitted(changes)
                data = document.with_edits({index: fitted})
                for changed in load(document.path, data).units:
                    parse(changed.text)
            except (ValueError, FileError, CannotParse) as error:
                raise CannotEdit(_CANNOT) from error
            contents[absolute(document.path)] = data
        return contents

    def _place(self, found: DocumentFindings, unit: int, location: Location) -> Place:
        position = found.document.units[unit].place(Region.of(location).start)
        return _spelled(absolute(found.document.path), position.cell, position.line, position.column)

    def _place_in_program(self, found: DocumentFindings, unit: int, known: UnitProgram, location: Location) -> Place:
        start = Region.of(location).start
        if known.start <= start <= known.start + known.length:
            return self._place(found, unit, Region(start - known.start, start - known.start))
        module = self._project.space.of_offset(start)
        position = module.unit.place(start - module.first_offset)
        return _spelled(absolute(module.path), position.cell, position.line, position.column)

    def changes(self, since: FileContents | None = None) -> list[Change]:
        """What is edited, beside the files as they are or as other edits left them."""
        changes = []
        for path, data in self.contents.items():
            before, after = dict(load(path, (since or {}).get(path)).parts), load(path, data).parts
            texts = [ChangedText(cell, before.get(cell, ""), text) for cell, text in after if before.get(cell) != text]
            if texts:
                changes.append(Change(shown_path(path), data, tuple(texts)))
        return changes


def line_before(old: bytes, new: bytes, line: int) -> int:
    """The line of an old text that a line of a new one comes from, or that what was added there follows."""
    before, after = (data.decode("utf-8", "replace").splitlines() for data in (old, new))
    matcher = LineMatcher(None, before, after)
    for kind, i, j, k, m in matcher.get_opcodes():
        if k < line <= m:
            return i + line - k if kind == "equal" else min(i + line - k, max(j, 1))
    return line


def _spelled(path: Path, cell: int | None, line: int, column: int) -> Place:
    return Place(str(path) if cell is None else cell_name(path, cell), line, column)


def _stages(known: UnitProgram) -> Iterator[Stage]:
    for dataset in known.program.datasets:
        for pipeline in dataset.variants:
            yield from pipeline.every_stage
