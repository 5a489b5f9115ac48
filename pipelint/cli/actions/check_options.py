"""The options of `pipelint check`, as the command line gives them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from pipelint.cli.actions.report_outputs import ReportOutput
from pipelint.cli.actions.run_options import RunOptions
from pipelint.lint.known_findings import KnownFindings
from pipelint.lint.task import Fixes, Mode, Task
from pipelint.model.grades import Severity
from pipelint.project.projects import Overrides
from pipelint.source.errors import UserError

STDIN = Path("-")


@dataclass(frozen=True)
class CheckOptions(RunOptions):
    """The options of `pipelint check`."""

    fix: bool
    unsafe_fixes: bool
    fix_only: bool
    diff: bool
    show_fixes: bool
    add_noqa: bool
    fixable: tuple[str, ...] | None
    unfixable: tuple[str, ...] | None
    outputs: tuple[ReportOutput, ...]
    line_url: str | None
    profiles: tuple[Path, Path] | None
    since: str | None
    no_baseline: bool
    statistics: bool
    exit_zero: bool
    exit_non_zero_on_fix: bool
    fail_on: str | None
    show_files: bool
    show_settings: bool
    watch: bool
    stdin_filename: Path | None
    silent: bool
    verbose: bool
    color: str

    @property
    def mode(self) -> Mode:
        """What to do with each file; where both are asked for, the one that writes nothing wins."""
        if self.diff:
            return Mode.DIFF
        return Mode.ADD_NOQA if self.add_noqa else Mode.FIX if self.fix or self.fix_only else Mode.REPORT

    def task(self, known: KnownFindings) -> Task:
        """What a run does, besides leaving out what is known."""
        return Task(self.mode, Fixes.ALL if self.unsafe_fixes else Fixes.SAFE, self.force_exclude, known)

    @property
    def overrides(self) -> Overrides:
        """What goes on top of the configuration."""
        return replace(
            super().overrides,
            fail_on=Severity(self.fail_on) if self.fail_on else None,
            no_baseline=self.no_baseline,
            fixable=self.fixable,
            unfixable=self.unfixable or (),
        )

    @property
    def from_stdin(self) -> bool:
        """Whether the source comes through a pipe."""
        return STDIN in self.paths

    def require_sense(self) -> None:
        """Refuse options that cannot be meant together."""
        together = {
            "--add-noqa": self.add_noqa,
            "--fix": self.fix,
            "--fix-only": self.fix_only,
            "--diff": self.diff,
            "--ignore-noqa": self.ignore_noqa,
            "--watch": self.watch,
            "-": self.from_stdin,
            "--baseline": self.baseline is not None,
            "--no-baseline": self.no_baseline,
        }
        for one, other, reason in (
            ("--add-noqa", "--fix", "one silences what the other repairs"),
            ("--add-noqa", "--fix-only", "one silences what the other repairs"),
            ("--add-noqa", "--ignore-noqa", "there would be two comments for one finding"),
            ("--baseline", "--no-baseline", "one reads what the other leaves alone"),
            ("--watch", "-", "standard input comes once"),
            ("--watch", "--add-noqa", "comments are written once"),
        ):
            if together[one] and together[other]:
                raise UserError(f"{one} and {other} cannot go together: {reason}; leave one out")
        if self.from_stdin and len(self.paths) > 1:
            raise UserError("`-` reads the source from standard input and stands alone; leave out the other paths")
