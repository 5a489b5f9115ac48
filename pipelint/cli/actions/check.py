"""`pipelint check`: from options to a run, and from its results to output and exit status."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TextIO

from pipelint.cli.actions.output import emit, require_writable, write_report
from pipelint.cli.actions.status import FAILED, FOUND, OK
from pipelint.cli.actions.target import target
from pipelint.display.terminal import Palette, one_line, wants_color
from pipelint.lint.baseline import Baselines
from pipelint.lint.fix import Fixes
from pipelint.lint.known import Hiding
from pipelint.lint.results import Results
from pipelint.lint.run import Mode, Task, check_paths, check_source
from pipelint.lint.since import Since
from pipelint.model.grades import Severity
from pipelint.project.projects import Overrides, Project, Projects
from pipelint.report.findings import Options, load_format
from pipelint.report.findings._summary import statistics, summary
from pipelint.report.findings.diff import unified_diff
from pipelint.report.wording import counted
from pipelint.source.errors import UserError
from pipelint.source.paths import shown_path

STDIN = Path("-")


@dataclass(frozen=True)
class CheckOptions:
    """The options of `pipelint check`, as the command line gives them."""

    paths: tuple[Path, ...]
    fix: bool
    unsafe_fixes: bool
    diff: bool
    select: tuple[str, ...] | None
    extend_select: tuple[str, ...] | None
    ignore: tuple[str, ...] | None
    output_format: str
    output_file: Path | None
    since: str | None
    baseline: Path | None
    statistics: bool
    exit_zero: bool
    fail_on: str | None
    target_tensorflow: str | None
    add_noqa: bool
    show_settings: bool
    config: Path | None
    force_exclude: bool
    stdin_filename: Path | None
    quiet: bool
    color: str

    @property
    def task(self) -> Task:
        """What to do with each file; where several are asked for, the one that writes least wins."""
        mode = Mode.DIFF if self.diff else Mode.ADD_NOQA if self.add_noqa else Mode.FIX if self.fix else Mode.REPORT
        return Task(mode, Fixes.ALL if self.unsafe_fixes else Fixes.SAFE, self.force_exclude)

    @property
    def overrides(self) -> Overrides:
        """What goes on top of the configuration."""
        return Overrides(
            select=self.select,
            extend_select=self.extend_select or (),
            ignore=self.ignore or (),
            fail_on=Severity(self.fail_on) if self.fail_on else None,
            target_tensorflow=target(self.target_tensorflow),
            baseline=self.baseline,
        )


def run_check(options: CheckOptions) -> int:
    """Check, report, and give the exit status."""
    projects = Projects(options.overrides, options.config)
    from_stdin = STDIN in options.paths
    if from_stdin and len(options.paths) > 1:
        raise UserError("`-` reads the source from standard input and stands alone; leave out the other paths")
    paths = options.paths or (Path(),)
    if options.show_settings:
        return _show_settings(projects, [options.stdin_filename or Path() if from_stdin else path for path in paths])
    if from_stdin:
        return _check_stdin(projects, options)
    if options.output_file:
        require_writable("--output-file", options.output_file)
    baselines = Baselines()
    for path in paths:
        # One that cannot be read is told before anything is fixed.
        baselines.of(projects.of(path))
    since = None if options.since is None else Since.over(options.since, paths)
    results = check_paths(projects, paths, replace(options.task, hiding=Hiding(since, baselines)))
    return _finish(results, options, sys.stdout)


def _check_stdin(projects: Projects, options: CheckOptions) -> int:
    """Check what comes through a pipe; with fixes the source goes to stdout, and the report makes room for it."""
    data = sys.stdin.buffer.read()
    path = options.stdin_filename or STDIN
    if options.since is not None and path is STDIN:
        raise UserError("--since: say with --stdin-filename which file the source from standard input stands in for")
    since = None if options.since is None else Since.over_source(options.since, path)
    results = check_source(projects, path, data, replace(options.task, hiding=Hiding(since, Baselines())))
    if options.task.mode in (Mode.REPORT, Mode.DIFF):
        return _finish(results, options, sys.stdout)
    changed = results.changes[0].after if results.changes else data
    emit(changed, sys.stdout)
    return _finish(results, options, sys.stderr)


def _finish(results: Results, options: CheckOptions, stream: TextIO) -> int:
    """Write all that there is to say, and give the exit status."""
    report = load_format(options.output_format)
    # A report for programs has its stream for itself and tells the problems too.
    alone = report.MACHINE_READABLE and options.output_file is None
    aside = sys.stderr if alone else stream
    if not alone:
        emit("".join(f"pipelint: {one_line(str(problem))}\n" for problem in results.problems), sys.stderr)
    if options.task.mode is Mode.ADD_NOQA:
        emit("" if options.quiet else f"{_silenced(results)}\n", aside)
        return FAILED if results.problems else OK
    if options.statistics and report.MACHINE_READABLE:
        emit(_statistics(results, options, sys.stderr), sys.stderr)
    if options.output_file:
        write_report("--output-file", options.output_file, _report(results, options, None))
    else:
        emit(_report(results, options, stream), stream)
    if options.diff:
        color = wants_color(options.color, aside)
        emit("\n" if results.changes and options.output_file is None else "", aside)
        emit(unified_diff(results.changes, color=color, terminal=aside.isatty()), aside)
    return _status(results, options)


def _report(results: Results, options: CheckOptions, stream: TextIO | None) -> str:
    """The results in the wanted format; without a stream, for a file."""
    report = load_format(options.output_format)
    if options.statistics and not report.MACHINE_READABLE:
        return _statistics(results, options, stream)
    color = stream is not None and wants_color(options.color, stream)
    return report.render(results, Options(color=color, quiet=options.quiet))


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


def _show_settings(projects: Projects, paths: Sequence[Path]) -> int:
    """Print the settings of each project that the paths belong to."""
    shown: dict[int, str] = {}
    for path in paths:
        project = projects.of(path)
        shown.setdefault(id(project), f"# {shown_path(path)}\n{_settings_text(project, path)}")
    emit("\n".join(shown.values()), sys.stdout)
    return OK


def _settings_text(project: Project, path: Path) -> str:
    overrides, settings = project.overrides, project.settings
    effective = replace(
        settings,
        select=settings.select if overrides.select is None else overrides.select,
        extend_select=settings.extend_select + overrides.extend_select,
        ignore=settings.ignore + overrides.ignore,
        fail_on=project.fail_on,
        target_tensorflow=project.target(path),
        baseline=project.baseline,
    )
    values = {**effective.as_dict(), "rules": [rule.code for rule in project.enabled]}
    return "".join(f"{key} = {_toml(value)}\n" for key, value in values.items() if value is not None)


def _toml(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(key)} = {_toml(inner)}" for key, inner in value.items()) + "}"
    return json.dumps(value, ensure_ascii=False)
