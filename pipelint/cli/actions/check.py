"""`pipelint check`: from options to a run, and from its results to output and exit status."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TextIO

from pipelint.cli.actions.check_options import STDIN, CheckOptions
from pipelint.cli.actions.output import complain, emit, readable, write_report
from pipelint.cli.actions.run_display import RunDisplay, can_erase
from pipelint.cli.actions.status import FAILED, FOUND, OK
from pipelint.display.figures import counted
from pipelint.display.terminal import Palette, one_line, wants_color, width_of
from pipelint.lint.check_files import check_paths, check_source, checked_files
from pipelint.lint.known_findings import KnownFindings
from pipelint.lint.results import Results
from pipelint.lint.task import Mode
from pipelint.project.projects import Projects
from pipelint.project.settings import ConfigError, Settings
from pipelint.report.findings import Format, FormatOptions, GrowingFormat, load_format
from pipelint.report.summary import fixes_by_rule, statistics, summary
from pipelint.source.errors import UserError
from pipelint.source.paths import shown_path

_NOTEBOOK = Path("stdin.ipynb")
"""What a notebook that comes through a pipe is called where nobody gives it a name."""


def run_check(options: CheckOptions) -> int:
    """Check, report, and give the exit status; with --watch again and again."""
    options.require_sense()
    if options.watch:
        from pipelint.cli.actions.watch import watch  # few do

        return watch(options, check_once)
    return check_once(options)


def check_once(options: CheckOptions) -> int:
    """Check, report, and give the exit status."""
    projects = Projects(options.overrides, options.config_file, tell=_tell(options))
    paths = options.paths or (Path(),)
    named = [options.stdin_filename or Path()] if options.from_stdin else paths
    if options.show_settings:
        from pipelint.cli.actions.show_settings import show_settings  # as above

        return show_settings(projects, named)
    if options.show_files:
        return _show_files(projects, named, options)
    reports = _Reports(projects, named[0], options)
    if options.from_stdin:
        return _check_stdin(projects, reports, options)
    known = _known_findings(options, paths)
    display = reports.display()
    try:
        results = check_paths(projects, paths, options.task(known), options.means(display))
    finally:
        display.end()
    return reports.finish(results, sys.stdout, shown=display.length)


def _tell(options: CheckOptions) -> Callable[[str], None]:
    return (lambda line: None) if options.silent else complain


def _show_files(projects: Projects, paths: Sequence[Path], options: CheckOptions) -> int:
    files, problems = checked_files(projects, paths, options.force_exclude)
    emit(readable("".join(f"{one_line(shown_path(file))}\n" for file in files)), sys.stdout)
    complain(*map(str, problems))
    return FAILED if problems else OK


def _check_stdin(projects: Projects, reports: _Reports, options: CheckOptions) -> int:
    """Check what comes through a pipe; with fixes the source goes to stdout, and the report makes room for it."""
    data = sys.stdin.buffer.read()
    path = options.stdin_filename or STDIN
    if path.suffix.lower() != ".ipynb" and _is_notebook(data):
        if options.stdin_filename is not None:
            raise UserError(f"--stdin-filename: {path} is no name of a notebook, and standard input is one; use .ipynb")
        path = _NOTEBOOK
    if options.since is not None and options.stdin_filename is None:
        raise UserError("--since: say with --stdin-filename which file the source from standard input stands in for")
    known = _known_findings(options, [path], stands_in=True)
    results = check_source(projects, path, data, options.task(known))
    if options.mode in (Mode.REPORT, Mode.DIFF):
        return reports.finish(results, sys.stdout)
    changed = results.changes[0].after if results.changes else data
    emit(changed, sys.stdout)
    return reports.finish(results, sys.stderr)


def _is_notebook(data: bytes) -> bool:
    """Whether source is the JSON of a notebook, most of which Python would take for a dictionary."""
    if not data.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{"):
        return False
    import json  # only for what may be one

    try:
        document = json.loads(data)
    except (ValueError, RecursionError):
        return False
    return isinstance(document, dict) and "nbformat" in document and isinstance(document.get("cells"), list)


def _known_findings(options: CheckOptions, paths: Sequence[Path], *, stands_in: bool = False) -> KnownFindings:
    """What is left out; source that stands in for a file is compared with that file."""
    if options.since is None:
        return KnownFindings(baselines=True)
    from pipelint.lint.changed_files import ChangedFiles  # runs git
    from pipelint.lint.since import Since

    over = ChangedFiles.over_source(options.since, paths[0]) if stands_in else ChangedFiles.over(options.since, paths)
    return KnownFindings(Since(over), baselines=True)


class _Reports:
    """What a run says: the report on a stream, those in files, and what stands beside them."""

    def __init__(self, projects: Projects, path: Path, options: CheckOptions) -> None:
        try:
            settings = projects.of(path).settings
        except ConfigError:  # told in its place, and other paths may have a configuration that can be used
            settings = Settings()
        self._options = options
        self._editor_url = settings.editor_url
        self._profiles = _before_and_after(options)
        # Asked once: a report is written in two parts, and people change the size of their windows.
        self._width = width_of(sys.stdout)
        self._files = [(o.file, load_format(o.format or settings.output_format)) for o in options.outputs if o.file]
        own = next((output for output in options.outputs if output.file is None), None)
        report = load_format(own.format or settings.output_format) if own is not None else None
        # A diff has standard output for itself, unless a report for a program was asked for.
        gives_way = options.diff and not (own is not None and own.format and report and report.MACHINE_READABLE)
        self._own = None if options.silent or gives_way else report

    def display(self) -> RunDisplay:
        """What is seen before the run is over; statistics and what is written for programs wait for its end."""
        options, report = self._options, self._own
        progress = not (options.quiet or options.silent) and can_erase(sys.stderr)
        waits = options.statistics or options.add_noqa or options.fix_only
        if waits or not isinstance(report, GrowingFormat):
            return RunDisplay(progress=progress)
        shown = self._format_options(sys.stdout)
        return RunDisplay(
            progress=progress,
            render=lambda found, first: report.render_next(found, shown, first=first),
            write=lambda text: emit(readable(text), sys.stdout),
        )

    def finish(self, results: Results, stream: TextIO, *, shown: int = 0) -> int:
        """Write all that there is to say, save so much of the report as is shown already, and give the exit status."""
        options, own = self._options, self._own
        status = _status(results, options)
        # A report for programs has its stream for itself and tells the problems too.
        alone = own is not None and own.MACHINE_READABLE
        aside = sys.stderr if alone or options.diff else stream
        if not options.silent:
            complain(*([] if alone else map(str, results.problems)), *results.remarks)
            complain(*(results.notes if options.verbose else ()))
        if options.mode is Mode.ADD_NOQA:
            emit("" if options.quiet or options.silent else f"{_silenced(results)}\n", aside)
            return status
        results = replace(results, diagnostics=()) if options.fix_only else results
        for file, report in self._files:
            write_report("--output-file", file, self._text(report, results, None))
        if own is not None:
            text = self._text(own, results, stream)[shown:]
            emit(text if own.MACHINE_READABLE else readable(text), stream)
        if options.diff and not options.silent:
            self._show_diff(results, sys.stderr if alone else stream)
        if (alone or options.diff) and not options.silent:
            emit(self._beside(results, aside, closes=not alone or options.statistics), aside)
        return status

    def _show_diff(self, results: Results, stream: TextIO) -> None:
        from pipelint.report.unified_diff import unified_diff  # only for those who ask

        color = self._options.color
        raw = color == "always" and not stream.isatty()
        emit(readable(unified_diff(results.changes, color=wants_color(color, stream), raw=raw)), stream)

    def _beside(self, results: Results, stream: TextIO, *, closes: bool) -> str:
        """What people get to read while the report, or the diff, has standard output for itself."""
        options, paint = self._options, Palette(wants_color(self._options.color, stream))
        parts = [statistics(results, paint)] if options.statistics else []
        parts += [fixes_by_rule(results, paint)] if options.show_fixes else []
        parts += [f"{summary(results, paint)}\n"] if closes and not options.quiet else []
        return "".join(parts)

    def _text(self, report: Format, results: Results, stream: TextIO | None) -> str:
        """The results in a format; without a stream, for a file."""
        options, shown = self._options, self._format_options(stream)
        if report.MACHINE_READABLE:
            return report.render(results, shown)
        paint = Palette(shown.color)
        fixes = fixes_by_rule(results, paint) if options.show_fixes else ""
        if options.fix_only:
            files = counted(len(results.changes), "file", "files")
            told = (
                f"Fixed {counted(results.fixed, 'finding', 'findings')} in {files}."
                if results.fixed
                else "Nothing to fix."
            )
            return fixes + ("" if options.quiet else f"{told}\n")
        if options.statistics:
            return statistics(results, paint) + fixes + ("" if options.quiet else f"{summary(results, paint)}\n")
        told = report.render(results, shown)
        return f"{told}\n{fixes}" if told and fixes else told + fixes

    def _format_options(self, stream: TextIO | None) -> FormatOptions:
        options = self._options
        return FormatOptions(
            color=stream is not None and wants_color(options.color, stream),
            quiet=options.quiet,
            width=self._width if stream is sys.stdout else None,
            line_url=options.line_url,
            profiles=self._profiles,
            editor_url=self._editor_url,
        )


def _before_and_after(options: CheckOptions) -> tuple[tuple[str, str, str], ...]:
    if options.profiles is None:
        return ()
    from pipelint.dynamic.comparison import before_and_after  # few measure

    return before_and_after(*options.profiles)


def _silenced(results: Results) -> str:
    findings = counted(results.fixed, "finding", "findings")
    return f"Silenced {findings} in {counted(len(results.changes), 'file', 'files')}."


def _status(results: Results, options: CheckOptions) -> int:
    if results.problems:
        return FAILED
    if options.mode is Mode.ADD_NOQA:
        return OK
    written = options.mode is Mode.FIX and options.exit_non_zero_on_fix
    found = results.failing and not options.fix_only
    changed = (options.diff or written) and bool(results.changes)
    return FOUND if (found or changed) and not options.exit_zero else OK
