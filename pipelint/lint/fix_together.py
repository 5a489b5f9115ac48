"""Works out what fixes make of files that belong together: a fix of a finding in one file may change another."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from pipelint.lint.apply_rules import DocumentFindings, UnitFinding, apply_rules
from pipelint.lint.fix import Fixed, fix
from pipelint.lint.fix_edits import with_edits
from pipelint.lint.known_findings import still_hidden
from pipelint.lint.task import Fixes
from pipelint.lint.try_fixes import without_fixes
from pipelint.model.edit import Edit
from pipelint.model.locations import Region
from pipelint.model.repair import Append
from pipelint.project.projects import Project
from pipelint.source.document import Document
from pipelint.source.errors import internal_error
from pipelint.source.paths import absolute

if TYPE_CHECKING:
    from pipelint.lint.unit_program import UnitProgram

MOST_ROUNDS = 5
"""How often files are looked at again because a fix has changed one that they import or that imports them."""


_CONTINUED = "other files add stages after the one where it would go"


@dataclass(frozen=True)
class FixedFile:
    """A file before and after fixes, and the project, with the contents that its files had then, in which it is so."""

    before: DocumentFindings
    after: Fixed
    project: Project


def fix_together(project: Project, found: Sequence[DocumentFindings], fixes: Fixes) -> list[FixedFile]:
    """Apply fixes, whose edits are worked out, each to the file where the fault is, if that is one of these."""
    files = {_path(item.document): FixedFile(item, Fixed(item), project) for item in found}
    for _ in range(MOST_ROUNDS):
        old = {path: file.after.found.document.data for path, file in files.items()}
        _fix_once(files, fixes)
        contents = {path: file.after.found.document.data for path, file in files.items()}
        changed = {path for path in files if contents[path] != old[path]}
        affected = [path for path in files if (changed - {path}) & project.modules(path).graph.connected(path)]
        if not affected:
            break
        project = project.with_files({**project.instead, **{path: contents[path] for path in changed}})
        for path in affected:
            files[path] = _looked_at_again(project, files[path], fixes)
    return list(files.values())


def _fix_once(files: dict[Path, FixedFile], fixes: Fixes) -> None:
    _refuse(files, {id(item): _CONTINUED for item, _, target in _for_others(files) if _is_continued(item, target)})
    guests = _handed_over(files)
    for path, file in files.items():
        found = file.after.found
        own = replace(found, findings=(*found.findings, *guests.get(path, ())))
        if found.problems or not any(item.edits for item in own.findings):
            continue
        try:
            fixed = fix(file.project, own, fixes)
        except Exception as error:  # noqa: BLE001 - a fault in one file must not cost the others
            fault = internal_error("what becomes of the findings", error, found.document.path)
            fixed = Fixed(replace(found, problems=(fault,)))
        mended = file.after.mended + fixed.mended
        files[path] = replace(file, after=Fixed(_without_guests(fixed.found), mended))
        left = (item for item in fixed.found.findings if item.guest is not None and item.unfixed)
        _refuse(files, {id(item.guest): item.unfixed for item in left})


def _handed_over(files: Mapping[Path, FixedFile]) -> Mapping[Path, Sequence[UnitFinding]]:
    """The findings of other files whose fixes change a file, as findings of that file."""
    guests: dict[Path, list[UnitFinding]] = defaultdict(list)
    for item, edits, target in _for_others(files):
        finding = replace(item.finding, location=min(edits).region, related=())
        guests[_path(target.before.document)].append(UnitFinding(0, finding, edits, guest=item))
    return guests


def _for_others(files: Mapping[Path, FixedFile]) -> Iterator[tuple[UnitFinding, tuple[Edit, ...], FixedFile]]:
    """The findings whose fixes change one other of the files, which is as they saw it; with the edits of that."""
    for item in (item for file in files.values() for item in file.after.found.findings):
        for module, edits in item.elsewhere.items() if len(item.elsewhere) == 1 else ():
            target = files.get(module.path) if module is not None else None
            if target is not None and module is not None and _text(target) == module.lines.text:
                yield item, edits, target


def _is_continued(item: UnitFinding, target: FixedFile) -> bool:
    """Whether a stage would be added that those who import the other file, and only they, see going on behind."""
    ((module, _),) = item.elsewhere.items()
    repair = item.finding.fix.repair if item.finding.fix else None
    if not isinstance(repair, Append) or module is None or (known := _program(target)) is None:
        return False
    end = Region.of(repair.dataset.variants[0].end.call)
    moved = known.start - module.first_offset
    there = Region(end.start + moved, end.end + moved)
    pipelines = (pipeline for dataset in known.program.datasets for pipeline in dataset.variants)
    return any(stage.call == there and stage.output is not None for pipeline in pipelines for stage in pipeline.stages)


def _program(file: FixedFile) -> UnitProgram | None:
    """The facts of a file of one unit, found anew where they were let go."""
    found = file.after.found
    return found.programs[0] or apply_rules(file.project, found.document).programs[0]


def _refuse(files: dict[Path, FixedFile], refused: Mapping[int, str]) -> None:
    """Tell findings, which are given by identity, why their fixes are not made."""
    for path, file in files.items() if refused else ():
        files[path] = replace(file, after=replace(file.after, found=without_fixes(file.after.found, refused)))


def _without_guests(found: DocumentFindings) -> DocumentFindings:
    return replace(found, findings=tuple(item for item in found.findings if item.guest is None))


def _looked_at_again(project: Project, file: FixedFile, fixes: Fixes) -> FixedFile:
    found = file.after.found
    again = with_edits(project, still_hidden(found, apply_rules(project, found.document)), fixes)
    return FixedFile(file.before, Fixed(again, file.after.mended), project)


def _path(document: Document) -> Path:
    return absolute(document.path)


def _text(file: FixedFile) -> str:
    return "".join(unit.text for unit in file.after.found.document.units)
