"""What `pipelint check --fix` can do about the findings of a run: only what it finds in the source by itself."""

from __future__ import annotations

from pathlib import Path

from pipelint.dynamic.profile import SourceFix
from pipelint.lint.check_files import check_file
from pipelint.lint.task import Task
from pipelint.model.locations import Place
from pipelint.project.projects import Project


class SourceFixes:
    """The fixes of the static side, looked up by the places of live findings; each file is checked once."""

    def __init__(self, project: Project) -> None:
        self._project = project
        self._files: dict[str, dict[tuple[str, int], SourceFix]] = {}

    def find(self, code: str, place: Place) -> SourceFix | None:
        """The fix for a rule's finding at a place, None where the source does not show what the run did."""
        if place.path not in self._files:
            self._files[place.path] = self._fixes(Path(place.path))
        return self._files[place.path].get((code, place.line))

    def _fixes(self, path: Path) -> dict[tuple[str, int], SourceFix]:
        found = check_file(self._project, path, Task()).diagnostics
        return {
            (finding.code, finding.span.start.line): SourceFix(finding.fix.title, finding.fix.safety)
            for finding in found
            if finding.fix is not None
        }
