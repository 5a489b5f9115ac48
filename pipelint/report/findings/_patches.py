"""The diffs that would mend what a report tells, made of the fixes of its findings without another analysis."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from pipelint.lint.diagnostic import Diagnostic, LocatedEdit, LocatedFix
from pipelint.lint.results import FileText, Results
from pipelint.model.edit import Edit
from pipelint.model.grades import Safety
from pipelint.model.locations import Region
from pipelint.report.unified_diff import part_diff
from pipelint.source.edits import apply, compatible, merged, overlap
from pipelint.source.lines import Lines

_NEARBY = 6


@dataclass(frozen=True)
class Patch:
    """The diff of the safe fixes, that of the unsafe ones on top of it, and how many fixes are in neither."""

    safe: tuple[str, ...] = ()
    unsafe: tuple[str, ...] = ()
    postponed: int = 0


def by_file(results: Results, diagnostics: Iterable[Diagnostic]) -> list[tuple[SourceText, list[Diagnostic]]]:
    """Those findings of each file, in the order of the report."""
    texts = {text.path: text for text in results.texts}
    groups = groupby(diagnostics, key=lambda diagnostic: diagnostic.span.path)
    return [(SourceText(texts.get(path) or FileText(path, ()), texts), list(found)) for path, found in groups]


class SourceText:
    """The text of a file as one stretch, its cells one after the other, so that fixes can be weighed together."""

    def __init__(self, text: FileText, all_texts: Mapping[str, FileText] | None = None) -> None:
        self.path = text.path
        self._all_texts = all_texts or {}
        self._cells = {cell: Lines(part) for cell, part in text.parts}
        self._base: dict[int | None, int] = {}
        end = 0
        for cell, part in text.parts:
            self._base[cell] = end
            end += len(part) + 1

    def lines(self, cell: int | None) -> Lines | None:
        """The lines of the file or of one of its cells."""
        return self._cells.get(cell)

    def patch(self, diagnostics: Iterable[Diagnostic]) -> Patch:
        """What the fixes of the findings make of the file, and of others that they change."""
        by_path: dict[str, list[LocatedFix]] = {self.path: []}
        for fix in (diagnostic.fix for diagnostic in diagnostics if diagnostic.fix):
            by_path.setdefault(fix.paths[0], []).extend([fix] if len(fix.paths) == 1 else [])
        patches = [self._file(path)._own_patch(fixes) for path, fixes in by_path.items()]
        return Patch(
            safe=tuple(line for patch in patches for line in patch.safe),
            unsafe=tuple(line for patch in patches for line in patch.unsafe),
            postponed=sum(patch.postponed for patch in patches),
        )

    def _file(self, path: str) -> SourceText:
        return self if path == self.path else SourceText(self._all_texts.get(path) or FileText(path, ()))

    def _own_patch(self, fixes: Sequence[LocatedFix]) -> Patch:
        fixes = fixes if self._cells else ()
        safe = [self._edits(fix.edits) for fix in fixes if fix.safety is Safety.SAFE]
        unsafe = [self._edits(fix.edits) for fix in fixes if fix.safety is Safety.UNSAFE]
        together = compatible(safe)
        first = merged(safe[index] for index in together)
        # Safe fixes have the right of way.
        free = [edits for edits in unsafe if not any(overlap(edit, other) for edit in edits for other in first)]
        chosen = compatible(free)
        both = merged([first, *(free[index] for index in chosen)])
        before, mended, after = self._applied([]), self._applied(first), self._applied(both)
        return Patch(
            safe=self._diff(before, mended),
            unsafe=self._diff(mended, after),
            postponed=len(fixes) - len(together) - len(chosen),
        )

    def excerpts(self, diagnostic: Diagnostic) -> list[list[str]]:
        """The diff of one finding's fix as hunks without headers, from the lines around its edits alone."""
        if diagnostic.fix is None or not self._cells:
            return []
        groups = _neighbours(diagnostic.fix.edits)
        return [self._file(group[0].span.path)._excerpt(group) for group in groups]

    def _excerpt(self, edits: Sequence[LocatedEdit]) -> list[str]:
        cell = edits[0].span.start.cell
        lines = self._cells[cell]
        first = max(edits[0].span.start.line - _NEARBY, 1)
        last = min(max(edit.span.end.line for edit in edits) + _NEARBY, len(lines))
        start, end = lines.start(first), lines.end(last)
        old = lines.text[start:end] + "\n"
        shifted = [_within(lines, edit).moved(-start) for edit in edits]
        diff = list(part_diff("", cell, old, apply(old, shifted)))
        return [line for line in diff[2:] if not line.startswith("@@")]

    def _edits(self, edits: Iterable[LocatedEdit]) -> list[Edit]:
        cells = ((located, located.span.start.cell) for located in edits)
        return [_within(self._cells[cell], located).moved(self._base[cell]) for located, cell in cells]

    def _applied(self, edits: Sequence[Edit]) -> list[str]:
        """The text of each cell after the edits."""
        texts = []
        for cell, lines in self._cells.items():
            start = self._base[cell]
            end = start + len(lines.text)
            own = [edit.moved(-start) for edit in edits if start <= edit.region.start <= end]
            texts.append(apply(lines.text, own))
        return texts

    def _diff(self, before: Sequence[str], after: Sequence[str]) -> tuple[str, ...]:
        changed = zip(self._cells, before, after, strict=True)
        return tuple(
            line.removesuffix("\r")
            for cell, old, new in changed
            if old != new
            for line in part_diff(self.path, cell, old, new)
        )


def _within(lines: Lines, edit: LocatedEdit) -> Edit:
    """The edit in offsets of the text of its cell."""
    start, end = edit.span.start, edit.span.end
    region = Region(lines.start(start.line) + start.column - 1, lines.start(end.line) + end.column - 1)
    return Edit(region, edit.text)


def _neighbours(edits: Iterable[LocatedEdit]) -> list[list[LocatedEdit]]:
    """The edits in groups that are shown together."""
    groups: list[list[LocatedEdit]] = []
    for edit in sorted(edits, key=lambda edit: (edit.span.path, edit.span.start)):
        before = groups[-1][-1].span if groups else None
        if (
            before
            and (before.path, before.end.cell) == (edit.span.path, edit.span.start.cell)
            and edit.span.start.line - before.end.line <= _NEARBY
        ):
            groups[-1].append(edit)
        else:
            groups.append([edit])
    return groups
