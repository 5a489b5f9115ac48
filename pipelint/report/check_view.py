"""Findings that show themselves where `pipelint.check(...)` is called."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from pipelint.lint.diagnostic import Diagnostic, Problem
from pipelint.lint.results import Results
from pipelint.report.findings import FormatOptions, load_format
from pipelint.report.page.shown_result import ShownResult


class CheckView(ShownResult):
    """What `pipelint.check` found; with fixes applied, what is left. Its length is the number of findings."""

    def __init__(self, results: Results) -> None:
        self.results = results

    @property
    def findings(self) -> tuple[Diagnostic, ...]:
        """The findings, in the order of reports."""
        return self.results.diagnostics

    @property
    def errors(self) -> tuple[Problem, ...]:
        """The files, or cells of notebooks, that could not be checked, and why."""
        return self.results.problems

    @property
    def failing(self) -> bool:
        """Whether `pipelint check` would not exit with 0: a finding is severe enough, or a file was not checked."""
        return self.results.failing or bool(self.results.problems)

    @property
    def fixed_source(self) -> str | None:
        """What the fixes make of a source that was given as text; None where they change nothing."""
        changes = self.results.changes
        return changes[0].texts[0].after if len(changes) == 1 and len(changes[0].texts) == 1 else None

    def __len__(self) -> int:
        return len(self.findings)

    def __bool__(self) -> bool:
        return True

    def __iter__(self) -> Iterator[Diagnostic]:
        return iter(self.findings)

    def __str__(self) -> str:
        problems = "".join(f"{problem}\n" for problem in self.errors)
        return (problems + self._in("full")).rstrip("\n")

    def to_json(self) -> str:
        """The JSON of `pipelint check --output-format json`."""
        return self._in("json")

    def to_html(self) -> str:
        """The page of `pipelint check --output-format html`."""
        return self._in("html")

    def to_markdown(self) -> str:
        """The comment of `pipelint check --output-format markdown`."""
        return self._in("markdown")

    @property
    def _formats(self) -> Mapping[str, Callable[[], str]]:
        return {**super()._formats, ".sarif": lambda: self._in("sarif")}

    def _in(self, output_format: str) -> str:
        return load_format(output_format).render(self.results, FormatOptions())
