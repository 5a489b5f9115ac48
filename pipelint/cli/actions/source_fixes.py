"""What `pipelint check --fix` can do about the findings of a run: only what it finds in the source by itself."""

from __future__ import annotations

from pathlib import Path

from pipelint.dynamic.profile import SourceFix
from pipelint.lint.check_batch import check_file
from pipelint.lint.task import Task
from pipelint.model.locations import Place
from pipelint.project.projects import Project
from pipelint.source.paths import shown_path, split_cell

_Fixes = dict[tuple[str, str, int | None, int], SourceFix]


class SourceFixes:
    """The fixes of the static side, looked up by the places of live findings; each file is checked once.

    What a module builds and the script takes may be found in the script, with the place in the module beside it.
    """

    def __init__(self, project: Project, script: Path | None = None) -> None:
        self._project = project
        self._script = script
        self._files: dict[Path, _Fixes] = {}

    def find(self, code: str, place: Place) -> SourceFix | None:
        """The fix for a rule's finding at a place, None where the source does not show what the run did."""
        path, cell = split_cell(place.path)
        key = code, shown_path(Path(path)), cell, place.line
        files = dict.fromkeys([Path(path), *([self._script] if self._script else [])])
        return next((fix for file in files if (fix := self._fixes(file).get(key)) is not None), None)

    def _fixes(self, path: Path) -> _Fixes:
        if path not in self._files:
            found = check_file(self._project, path, Task()).diagnostics
            self._files[path] = {
                (finding.code, span.path, span.start.cell, span.start.line): SourceFix(fix.title, fix.safety)
                for finding in found
                if (fix := finding.fix) is not None
                for span in (finding.span, *(note.span for note in finding.related))
                if span is finding.span or span.path in finding.fixed_elsewhere
            }
        return self._files[path]
