"""Projects of several files, whose lines say what pipelint must find in them, as in `tests.cases`.

What is found must not depend on how much is asked about: all files at once, or one by one with the others as context.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from pipelint.lint.check_files import check_paths
from pipelint.lint.diagnostic import Diagnostic
from pipelint.lint.results import Results
from pipelint.lint.task import Task
from pipelint.project.projects import Overrides, Projects
from tests.cases import in_file, parts_of, with_marks, without_marks, written

Sources = Mapping[str, str | tuple[str, ...]]
"""Marked sources by path; of a notebook, those of its cells."""


@dataclass(frozen=True)
class WrittenProject:
    """A project in the working directory."""

    sources: Sources

    @classmethod
    def write(cls, sources: Sources) -> WrittenProject:
        """Write the sources without their marks."""
        Path("pyproject.toml").touch()
        for name, source in sources.items():
            path = Path(name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(in_file([without_marks(part) for part in _marked(source)], name))
        return cls(sources)

    def prove(self, *select: str) -> None:
        """What is found is what is marked, whether all files are given or each by itself."""
        marked = {name: _marked(source) for name, source in self.sources.items()}
        together = check(Path(), select=select)
        assert self._with_marks(together.diagnostics) == marked
        one_by_one = [found for name in self.sources for found in check(Path(name), select=select).diagnostics]
        assert self._with_marks(tuple(one_by_one)) == marked

    def _with_marks(self, found: tuple[Diagnostic, ...]) -> dict[str, list[str]]:
        return {
            name: with_marks(
                parts_of(Path(name).read_text(), name),
                tuple(diagnostic for diagnostic in found if diagnostic.span.path == name),
            )
            for name in self.sources
        }


def check(*paths: Path, select: tuple[str, ...] = (), task: Task | None = None) -> Results:
    """What pipelint says of files or directories that it can read."""
    results = check_paths(Projects(Overrides(select=select or None), tell=print), paths, task or Task())
    assert results.problems == ()
    return results


def _marked(source: str | tuple[str, ...]) -> list[str]:
    return [written(source)] if isinstance(source, str) else [written(cell) for cell in source]
