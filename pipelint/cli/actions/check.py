"""`pipelint check`: from options to a run, and from its results to output and exit status."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TextIO

from pipelint.cli.actions.output import complain, emit, readable, require_writable, write_report
from pipelint.cli.actions.run_display import RunDisplay, can_erase
from pipelint.cli.actions.run_options import RunOptions
from pipelint.cli.actions.status import FAILED, FOUND, OK
from pipelint.display.figures import counted
from pipelint.display.terminal import Palette, wants_color
from pipelint.lint.check_files import check_paths, check_source
from pipelint.lint.known_findings import KnownFindings
from pipelint.lint.results import Results
from pipelint.lint.task import Fixes, Mode, Task
from pipelint.model.grades import Severity
from pipelint.project.projects import Overrides, Projects
from pipelint.report.findings import Format, FormatOptions, GrowingFormat, load_format
from pipelint.report.summary import statistics, summary
from pipelint.source.errors import UserError

STDIN = Path("-")


@dataclass(frozen=True)
class CheckOptions(RunOptions):
    """The options of `pipelint check`, as the command line gives them."""

    fix: bool
    unsafe_fixes: bool
    diff: bool
    output_format: str
    output_file: Path | None
    since: str | None
    statistics: bool
    exit_zero: bool
    fail_on: str | None
    add_noqa: bool
    show_settings: bool
    stdin_filename: Path | None
    verbose: bool
    color: str

    @property
    def mode(self) -> Mode:
        """What to do with each file; where several are asked for, the one that writes least wins."""
        return Mode.DIFF if self.diff else Mode.ADD_NOQA if self.add_noqa else Mode.FIX if self.fix else Mode.REPORT

    def task(self, known: KnownFindings) -> Task:
        """What a run does, besides leaving out what is known."""
        return Task(self.mode, Fixes.ALL if self.unsafe_fixes else Fixes.SAFE, self.force_exclude, known)

    @property
    def overrides(self) -> Overrides:
        """What goes on top of the configuration."""
        return replace(super().overrides, fail_on=Severity(self.fail_on) if self.fail_on else None)


def run_check(options: CheckOptions) -> int:
    """Check, report, and give the exit status."""
    projects = Projects(options.overrides, options.config, tell=complain)
    from_stdin = STDIN in options.paths
    if from_stdin and len(options.paths) > 1:
        raise UserError("`-` reads the source from standard input and stands alone; leave out the other paths")
    paths = options.paths or (Path(),)
    if options.show_settings:
        from pipelint.cli.actions.show_settings import show_settings

        return show_settings(projects, [options.stdin_filename or Path() if from_stdin else path for path in paths])
    if from_stdin:
        return _check_stdin(projects, options)
    if options.output_file:
        require_writable("--output-file", options.output_file)
    known = _known_findings(options, paths)
    display = _display(options)
    try:
        results = check_paths(projects, paths, options.task(known), options.means(display))
    finally:
        display.end()
    return _finish(results, options, sys.stdout, shown=display.length)


def _display(options: CheckOptions) -> RunDisplay:
    """What is seen before the run is over; statistics and what is written for programs wait for its end."""
    report = load_format(options.output_format)
    progress = not options.quiet and can_erase(sys.stderr)
    if options.output_file or options.statistics or options.add_noqa or not isinstance(report, GrowingFormat):
        return RunDisplay(progress=progress)
    shown = FormatOptions(color=wants_color(options.color, sys.stdout), quiet=options.quiet)
    return RunDisplay(
        progress=progress,
        render=lambda found, first: report.render_next(found, shown, first=first),
        write=lambda text: emit(readable(text), sys.stdout),
    )


def _check_stdin(projects: Projects, options: CheckOptions) -> int:
    """Check what comes through a pipe; with fixes the source goes to stdout, and the report makes room for it."""
    data = sys.stdin.buffer.read()
    path = options.stdin_filename or STDIN
    if options.since is not None and path is STDIN:
        raise UserError("--since: say with --stdin-filename which file the source from standard input stands in for")
    known = _known_findings(options, [path], stands_in=True)
    results = check_source(projects, path, data, options.task(known))
    if options.mode in (Mode.REPORT, Mode.DIFF):
        return _finish(results, options, sys.stdout)
    changed = results.changes[0].after if results.changes else data
    emit(changed, sys.stdout)
    return _finish(results, options, sys.stderr)


def _known_findings(options: CheckOptions, paths: Sequence[Path], *, stands_in: bool = False) -> KnownFindings:
    """What is left out; source that stands in for a file is compared with that file."""
    if options.since is None:
        return KnownFindings(baselines=True)
    from pipelint.lint.changed_files import ChangedFiles  # runs git
    from pipelint.lint.since import Since

    over = ChangedFiles.over_source(options.since, paths[0]) if stands_in else ChangedFiles.over(options.since, paths)
    return KnownFindings(Since(over), baselines=True)


def _finish(results: Results, options: CheckOptions, stream: TextIO, *, shown: int = 0) -> int:
    """Write all that there is to say, save so much of the report as is shown already, and give the exit status."""
    report = load_format(options.output_format)
    # A report for programs has its stream for itself and tells the problems too.
    alone = report.MACHINE_READABLE and options.output_file is None
    aside = sys.stderr if alone else stream
    if not alone:
        complain(*map(str, results.problems))
    complain(*(results.notes if options.verbose else ()))
    if options.mode is Mode.ADD_NOQA:
        emit("" if options.quiet else f"{_silenced(results)}\n", aside)
        return FAILED if results.problems else OK
    if options.statistics and report.MACHINE_READABLE:
        emit(_statistics(results, options, sys.stderr), sys.stderr)
    if options.output_file:
        write_report("--output-file", options.output_file, _report(report, results, options, None))
    else:
        text = _report(report, results, options, stream)[shown:]
        emit(text if report.MACHINE_READABLE else readable(text), stream)
    if options.diff:
        from pipelint.report.unified_diff import unified_diff

        raw = options.color == "always" and not aside.isatty()
        emit("\n" if results.changes and options.output_file is None else "", aside)
        emit(readable(unified_diff(results.changes, color=wants_color(options.color, aside), raw=raw)), aside)
    return _status(results, options)


def _report(report: Format, results: Results, options: CheckOptions, stream: TextIO | None) -> str:
    """The results in the wanted format; without a stream, for a file."""
    if options.statistics and not report.MACHINE_READABLE:
        return _statistics(results, options, stream)
    color = stream is not None and wants_color(options.color, stream)
    return report.render(results, FormatOptions(color=color, quiet=options.quiet))


def _statistics(results: Results, options: CheckOptions, stream: TextIO | None) -> str:
    paint = Palette(stream is not None and wants_color(options.color, stream))
    closing = "" if options.quiet else f"{summary(results, paint)}\n"
    return statistics(results, paint) + closing


def _silenced(results: Results) -> str:
    findings = counted(results.fixed, "finding", "findings")
    return f"Silenced {findings} in {counted(len(results.changes), 'file', 'files')}."


def _status(results: Results, options: CheckOptions) -> int:
    if results.problems:
        return FAILED
    found = results.failing or (options.diff and bool(results.changes))
    return FOUND if found and not options.exit_zero else OK
