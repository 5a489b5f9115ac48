"""What a run gives: for each file its diagnostics, problems and changes, and all of them together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from pipelint.model.grades import Safety, Severity
from pipelint.source.errors import FileError

if TYPE_CHECKING:
    from pipelint.lint.diagnostic import Diagnostic, Problem  # a clean file has none
    from pipelint.project.registry import RegisteredRule


@dataclass(frozen=True)
class ChangedText:
    """What fixes make of a text: that of a script, or of one cell of a notebook."""

    cell: int | None
    before: str
    after: str


@dataclass(frozen=True)
class Change:
    """What fixes make of a file: its bytes, and the texts in it that differ."""

    path: str
    after: bytes
    texts: tuple[ChangedText, ...]


Parts = tuple[tuple[int | None, str], ...]


@dataclass(frozen=True)
class FileText:
    """The source of a file that has findings: one text, or the code cells of a notebook with their numbers."""

    path: str
    known: Parts | None = None
    """The texts, where the file was read when it was checked."""

    @property
    def parts(self) -> Parts:
        """Its texts, None standing for the one of a script."""
        if self.known is not None:
            return self.known
        from pipelint.source.files import load  # only for pages, of findings that an earlier run made

        try:
            return load(Path(self.path)).parts
        except FileError:  # gone since
            return ()


class RuleName(NamedTuple):
    """The code and the name of a rule."""

    code: str
    name: str


@dataclass(frozen=True)
class FileResult:
    """What became of one file, or of a path that is none."""

    files: int = 0
    diagnostics: tuple[Diagnostic, ...] = ()
    problems: tuple[Problem, ...] = ()
    change: Change | None = None
    mended: tuple[RuleName, ...] = ()
    """The rule of each finding that was fixed or silenced."""
    failing: bool = False
    """Whether a finding is severe enough to fail the run."""
    advice_fails: bool = False
    """Whether advice would be."""
    baselined: int = 0
    """How many findings are not reported because the baseline lists them."""
    text: FileText | None = None
    texts_elsewhere: tuple[FileText, ...] = ()
    """Other files that its findings lead to."""
    notes: tuple[str, ...] = ()
    """What those may want to know who ask why nothing was found, each in one line."""


@dataclass(frozen=True)
class Results:
    """All that one run has to tell. With fixes applied, the diagnostics are those that are left."""

    diagnostics: tuple[Diagnostic, ...] = ()
    problems: tuple[Problem, ...] = ()
    files: int = 0
    mended: tuple[tuple[str, RuleName], ...] = ()
    """Of each finding that was fixed or silenced the file and the rule."""
    changes: tuple[Change, ...] = ()
    failing: bool = False
    advice_fails: bool = False
    baselined: int = 0
    enabled: Callable[[], Iterable[RegisteredRule]] = tuple
    """The rules that were on for any of the files; few reports list them, and loading them takes time."""
    texts: tuple[FileText, ...] = ()
    """The files that have findings, or that findings lead to, as the findings see them."""
    notes: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()
    """What is not right about what was asked for, though nothing failed, each in one line."""

    @classmethod
    def gather(
        cls,
        results: Sequence[FileResult],
        enabled: Callable[[], Iterable[RegisteredRule]] = tuple,
        remarks: Iterable[str] = (),
    ) -> Results:
        """The results of all files, in the order of reports."""
        found = [diagnostic for result in results for diagnostic in result.diagnostics]
        problems = [problem for result in results for problem in result.problems]
        changes = [result.change for result in results if result.change]
        own = (result.text for result in results if result.text)
        elsewhere = (text for result in results for text in result.texts_elsewhere)
        return cls(
            diagnostics=tuple(sorted(found, key=lambda diagnostic: diagnostic.order)),
            problems=tuple(sorted(problems, key=lambda problem: problem.order)),
            files=sum(result.files for result in results),
            mended=tuple((result.change.path, rule) for result in results if result.change for rule in result.mended),
            changes=tuple(sorted(changes, key=lambda change: change.path)),
            failing=any(result.failing for result in results),
            advice_fails=any(result.advice_fails for result in results),
            baselined=sum(result.baselined for result in results),
            texts=tuple({text.path: text for text in (*elsewhere, *own)}.values()),
            notes=tuple(note for result in results for note in result.notes),
            enabled=enabled,
            remarks=tuple(remarks),
        )

    @property
    def fixed(self) -> int:
        """How many findings were fixed or silenced."""
        return len(self.mended)

    @property
    def rules(self) -> list[RegisteredRule]:
        """The rules that were on for any of the files, by code."""
        return sorted({rule.code: rule for rule in self.enabled()}.values(), key=lambda rule: rule.code)

    def count(self, severity: Severity) -> int:
        """How many findings have this severity."""
        return sum(diagnostic.severity is severity for diagnostic in self.diagnostics)

    def fixable(self, safety: Safety | None = None) -> int:
        """How many findings left have a fix, of this safety or of any, that `--fix` writes."""
        fixes = (diagnostic.fix for diagnostic in self.diagnostics)
        return sum(fix is not None and not fix.withheld and safety in (None, fix.safety) for fix in fixes)

    def per_rule(self) -> list[tuple[str, str, int]]:
        """Code, name and number of findings of each rule that found something, the most frequent first."""
        counts = Counter((diagnostic.code, diagnostic.name) for diagnostic in self.diagnostics)
        return sorted(((code, name, n) for (code, name), n in counts.items()), key=lambda row: (-row[2], row[0]))
