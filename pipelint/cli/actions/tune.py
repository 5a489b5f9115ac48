"""`pipelint tune`: from options to a search over versions of the program, and from its result to a patch."""

from __future__ import annotations

import importlib
import shutil
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from pipelint.cli.actions.output import complain, emit, readable, require_writable, write_report
from pipelint.cli.actions.profile import require_tensorflow
from pipelint.cli.actions.search_display import SearchDisplay
from pipelint.cli.actions.status import FAILED, INTERRUPTED, OK
from pipelint.cli.actions.workshop import ProgramWorkshop
from pipelint.display.figures import figure
from pipelint.display.terminal import wants_color
from pipelint.dynamic.process import supervisor, target
from pipelint.dynamic.profile import WORTHWHILE, Profile
from pipelint.dynamic.tune.epochs import EpochProfiles
from pipelint.dynamic.tune.search import Files, Search, SearchResult
from pipelint.dynamic.tuning import Tuning
from pipelint.lint.results import Change
from pipelint.lint.source_variant import SourceVariant
from pipelint.project.projects import Overrides, Project, Projects
from pipelint.report.unified_diff import unified_diff
from pipelint.source.errors import FileError, UserError
from pipelint.source.paths import shown_path, shown_place
from pipelint.source.writing import write

_EVERY_RULE = ("PIPE",)
"""Rules that are off by default for want of a measurement have one here."""
_PROFILE_SECONDS = 12.0
_PROFILE_SHARE = 0.1
"""The part of the time that the first profile may take of a short search."""


@dataclass(frozen=True)
class TuneOptions:
    """The options of `pipelint tune`, as the command line gives them."""

    target: str
    arguments: tuple[str, ...]
    call: str | None
    write: bool
    unsafe_fixes: bool
    minutes: float
    service: int | None
    """How many workers of a tf.data service to try."""
    step_time: float | None
    """In seconds."""
    output_format: str
    output_file: Path | None
    traceback: bool
    allow_local_rules: bool
    color: str


@dataclass(frozen=True)
class Tuned:
    """What a search came to, and the files that it would change."""

    tuning: Tuning
    changes: list[Change] = field(default_factory=list)
    project: Project | None = None
    files: Files = field(default_factory=dict)
    originals: Files = field(default_factory=dict)

    def write(self) -> None:
        """Put what was kept in the place of the files, as far as these are still as they were read."""
        named = {change.path for change in self.changes}
        for path, content in self.files.items():
            if self.project is None or shown_path(path) not in named:
                continue
            try:
                write(path, content, read=self.originals[path], root=self.project.settings.root)
            except FileError as error:
                raise UserError(f"{shown_path(path)} {error.message}") from error
            complain(f"{shown_path(path)} is rewritten")


def run_tune(options: TuneOptions) -> int:
    """Search, report, write where that is asked for, and give the exit status."""
    found = tuned(options)
    error = found.tuning.error
    if not error or options.output_format == "json":
        _report(found, options)
    if error:
        complain(error)
        return INTERRUPTED if found.tuning.interrupted else FAILED
    if options.write:
        found.write()
    return INTERRUPTED if found.tuning.interrupted else OK


def tuned(options: TuneOptions) -> Tuned:
    """Search for rewrites that pay; nothing is written."""
    wanted = target.parse(options.target, options.call, options.arguments)
    _check_before_running(options)
    overrides = Overrides(extend_select=_EVERY_RULE, allow_local_rules=options.allow_local_rules)
    project = Projects(overrides, tell=complain).of(wanted.script or Path())
    with SearchDisplay(sys.stderr, options.minutes * 60) as display:
        display.tell(
            f"running {wanted.home} many times in child processes, each time to its first pipeline; "
            "what it does before that happens, files and downloads included"
        )
        # Without --write everything is tried, and nothing of it is written.
        unsafe = options.unsafe_fixes or not options.write
        workshop = ProgramWorkshop(wanted, project, display.show, unsafe=unsafe, step_time=options.step_time)
        search = Search(workshop, options.minutes * 60, display.tell)
        display.tell("measuring the pipeline as it is written")
        seconds = min(_PROFILE_SECONDS, _PROFILE_SHARE * 60 * options.minutes)
        outcome = supervisor.run_once(wanted, seconds, display.show, traceback=options.traceback)
        profile = workshop.take(outcome.run)
        first = EpochProfiles.of(profile)
        if outcome.interrupted or first is None:
            error = profile.error or "no pipeline was measured"
            nothing = Tuning(profile.target, profile.tensorflow, profile.cores, error=error)
            return Tuned(replace(nothing, interrupted=outcome.interrupted))
        result = search.run(first)
        service = None
        if options.service and not result.interrupted:
            display.tell(f"running a tf.data service with 1 to {options.service} workers")
            service = workshop.service(result.files, result.last_profile, options.service)
    changes = SourceVariant(project, list(result.files), result.files).changes()
    tuning = replace(_tuning(profile, first, result), service=service, diff=unified_diff(changes))
    return Tuned(tuning, changes, project, result.files, workshop.originals)


def _check_before_running(options: TuneOptions) -> None:
    """Refuse what would only be noticed when the time is spent."""
    require_tensorflow("tune")
    if options.output_file:
        require_writable("--output-file", options.output_file)


def _tuning(profile: Profile, first: EpochProfiles, result: SearchResult) -> Tuning:
    last = result.last_profile
    after = result.after or first.later.measurement.batches_per_second
    return Tuning(
        profile.target,
        profile.tensorflow,
        profile.cores,
        before=result.before or first.later.measurement.batches_per_second,
        after=after,
        limit=after * last.headroom if after is not None else None,
        total=result.total,
        rewrites=tuple(result.rewrites),
        pipelines=(first.later, last.later) if result.files else (first.later,),
        ended=result.ended,
        notes=(*_notes(last), *_by_hand(last, result)),
        interrupted=result.interrupted,
    )


def _notes(last: EpochProfiles) -> Iterator[str]:
    if last.first is not None:
        passes = last.later.consumer.passes
        known = "" if passes is not None else ", since the program does not say how many there are"
        yield f"batches/s are the average of {last.passes} epochs, the first of which fills the cache{known}"


def _by_hand(last: EpochProfiles, result: SearchResult) -> Iterator[str]:
    """What the profile advises that no rewrite was made for."""
    tried = {rewrite.code for rewrite in result.rewrites}
    for advice in last.later.suggestions:
        if advice.code not in tried and (advice.speedup or 0.0) >= WORTHWHILE:
            gain = f"about {figure(advice.speedup or 0.0)}x"
            yield f"only by hand: {advice.code} {shown_place(advice.place)}: {advice.message} ({gain})"


def _report(found: Tuned, options: TuneOptions) -> None:
    report = importlib.import_module(f"pipelint.report.tune.{options.output_format}")
    if options.output_file:
        write_report("--output-file", options.output_file, report.render(found.tuning))
        return
    if options.output_format == "text":
        color = wants_color(options.color, sys.stdout)
        shown = replace(found.tuning, diff=unified_diff(found.changes, color=color))
        width = shutil.get_terminal_size().columns if sys.stdout.isatty() else None
        emit(readable(report.render(shown, color=color, width=width)), sys.stdout)
    else:
        emit(report.render(found.tuning), sys.stdout)
