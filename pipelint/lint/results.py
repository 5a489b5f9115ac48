"""What a run found, in the words that reports use: paths, cells, lines and columns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pipelint.model.grades import Safety, Severity
from pipelint.project.registry import RegisteredRule
from pipelint.source.unit import Place


@dataclass(frozen=True)
class Span:
    """A stretch of one file, or of one cell of a notebook; the end is exclusive."""

    path: str
    start: Place
    end: Place
    in_file: tuple[Place, Place] | None = None
    """In a notebook, where that stands in the lines of the .ipynb file."""

    @property
    def file_start(self) -> Place:
        """The start, counted in the lines of the file itself."""
        return self.in_file[0] if self.in_file else self.start

    @property
    def file_end(self) -> Place:
        """The end, counted in the lines of the file itself."""
        return self.in_file[1] if self.in_file else self.end

    def __str__(self) -> str:
        return f"{position(self.path, self.start.cell, self.start.line)}:{self.start.column}"


@dataclass(frozen=True)
class LocatedEdit:
    """Replaces the span by the text."""

    span: Span
    text: str


@dataclass(frozen=True)
class LocatedFix:
    """A repair that the source can take."""

    title: str
    safety: Safety
    edits: tuple[LocatedEdit, ...]
    file_edits: tuple[LocatedEdit, ...]
    """The same in the lines of the file itself: in a notebook they change its JSON."""
    file_lines: tuple[str, ...]
    """The lines of the file from the first to the last of these edits, whole, with their line ends."""


@dataclass(frozen=True)
class Note:
    """Another place that explains a finding."""

    span: Span
    message: str


@dataclass(frozen=True)
class Diagnostic:
    """A finding as it is reported."""

    code: str
    name: str
    severity: Severity
    message: str
    span: Span
    fix: LocatedFix | None
    related: tuple[Note, ...]
    url: str | None
    source: tuple[str, ...]
    """The lines of the span, whole, without their line ends."""

    @property
    def order(self) -> tuple[str, int, int, int, str]:
        """Reports sort by path, cell, line, column and code."""
        start = self.span.start
        return (self.span.path, start.cell or 0, start.line, start.column, self.code)


@dataclass(frozen=True)
class Problem:
    """Why a file, or a cell of a notebook, could not be checked."""

    path: str
    message: str
    line: int | None = None
    cell: int | None = None
    file_line: int | None = None
    """The line counted in the file itself, also in a notebook."""

    def __str__(self) -> str:
        return f"{position(self.path, self.cell, self.line)}: {self.message}"

    @property
    def order(self) -> tuple[str, int, int]:
        """Problems sort as findings do."""
        return (self.path, self.cell or 0, self.line or 0)


@dataclass(frozen=True)
class Change:
    """The bytes of a file before and after its fixes."""

    path: str
    before: bytes
    after: bytes

    @property
    def is_empty(self) -> bool:
        """Whether nothing changed."""
        return self.before == self.after


@dataclass(frozen=True)
class FileText:
    """The source of a file that has findings: one text, or the code cells of a notebook with their numbers."""

    path: str
    parts: tuple[tuple[int | None, str], ...]


@dataclass(frozen=True)
class Outcome:
    """What became of one file, or of a path that is none."""

    files: int = 0
    diagnostics: tuple[Diagnostic, ...] = ()
    problems: tuple[Problem, ...] = ()
    change: Change | None = None
    fixed: int = 0
    failing: bool = False
    """Whether a finding is severe enough to fail the run."""
    baselined: int = 0
    """How many findings are not reported because the baseline lists them."""
    text: FileText | None = None


@dataclass(frozen=True)
class Results:
    """All that one run has to tell. With fixes applied, the diagnostics are those that are left."""

    diagnostics: tuple[Diagnostic, ...] = ()
    problems: tuple[Problem, ...] = ()
    files: int = 0
    fixed: int = 0
    changes: tuple[Change, ...] = ()
    failing: bool = False
    baselined: int = 0
    rules: tuple[RegisteredRule, ...] = ()
    """The rules that were on for any of the files, by code."""
    texts: tuple[FileText, ...] = ()
    """The files that have findings, as the findings see them."""

    @classmethod
    def gather(cls, outcomes: Sequence[Outcome], rules: Iterable[RegisteredRule] = ()) -> Results:
        """The results of all files, in the order of reports."""
        found = [diagnostic for outcome in outcomes for diagnostic in outcome.diagnostics]
        problems = [problem for outcome in outcomes for problem in outcome.problems]
        changes = [outcome.change for outcome in outcomes if outcome.change]
        return cls(
            diagnostics=tuple(sorted(found, key=lambda diagnostic: diagnostic.order)),
            problems=tuple(sorted(problems, key=lambda problem: problem.order)),
            files=sum(outcome.files for outcome in outcomes),
            fixed=sum(outcome.fixed for outcome in outcomes),
            changes=tuple(sorted(changes, key=lambda change: change.path)),
            failing=any(outcome.failing for outcome in outcomes),
            baselined=sum(outcome.baselined for outcome in outcomes),
            texts=tuple(outcome.text for outcome in outcomes if outcome.text),
            rules=tuple(sorted({rule.code: rule for rule in rules}.values(), key=lambda rule: rule.code)),
        )

    def count(self, severity: Severity) -> int:
        """How many findings have this severity."""
        return sum(diagnostic.severity is severity for diagnostic in self.diagnostics)

    def fixable(self, safety: Safety | None = None) -> int:
        """How many findings left have a fix, of this safety or of any."""
        return sum(d.fix is not None and safety in (None, d.fix.safety) for d in self.diagnostics)

    def per_rule(self) -> list[tuple[str, str, int]]:
        """Code, name and number of findings of each rule that found something, the most frequent first."""
        counts = Counter((diagnostic.code, diagnostic.name) for diagnostic in self.diagnostics)
        return sorted(((code, name, n) for (code, name), n in counts.items()), key=lambda row: (-row[2], row[0]))


def position(path: str, cell: int | None, line: int | None) -> str:
    """`train.py:12`, or `train.ipynb:cell 3:12` in a notebook."""
    parts = [path]
    if cell is not None:
        parts.append(f"cell {cell}")
    if line is not None:
        parts.append(str(line))
    return ":".join(parts)
