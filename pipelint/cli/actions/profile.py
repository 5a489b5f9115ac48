"""`pipelint profile`: from options to a run in a child process, and from its result to reports and exit status."""

from __future__ import annotations

import importlib
import importlib.util
import shutil
import sys
from dataclasses import dataclass, replace
from pathlib import Path

from pipelint.cli.actions.output import complain, emit, readable, require_writable, write_report
from pipelint.cli.actions.status import FAILED, FOUND, INTERRUPTED, OK
from pipelint.display.terminal import wants_color
from pipelint.dynamic.comparison import earlier_profile
from pipelint.dynamic.measure.measured_run import MeasuredRun
from pipelint.dynamic.process import supervisor, target
from pipelint.dynamic.profile import Profile
from pipelint.dynamic.thresholds import Thresholds, comparison, violations
from pipelint.source.errors import UserError

_DRAWINGS = (".svg", ".dot")


@dataclass(frozen=True)
class ProfileOptions:
    """The options of `pipelint profile`, as the command line gives them."""

    target: str
    arguments: tuple[str, ...]
    call: str | None
    seconds: float
    step_time: float | None
    """In seconds."""
    output_format: str
    output_file: Path | None
    graph: Path | None
    max_input_bound: float | None
    min_batches_per_second: float | None
    compare: Path | None
    save: bool
    cache_dir: Path | None
    traceback: bool
    allow_local_rules: bool
    color: str

    @property
    def thresholds(self) -> Thresholds:
        """What the profile has to keep to."""
        return Thresholds(self.max_input_bound, self.min_batches_per_second, self.compare)


def run_profile(options: ProfileOptions) -> int:
    """Measure, report, and give the exit status."""
    wanted = target.parse(options.target, options.call, options.arguments)
    _check_before_running(options)
    outcome = supervisor.run(wanted, options.seconds, sys.stderr, traceback=options.traceback)
    run = outcome.run if options.step_time is None else outcome.run.with_step(options.step_time)
    profile = analysed(run, wanted.script or Path(), options.allow_local_rules)
    if profile.pipelines or options.output_format == "json":
        _report(profile, options)
    if options.save and profile.pipelines:
        from pipelint.cli.actions.save_profile import save_for_editors

        complain(save_for_editors(profile, options.cache_dir))
    if profile.error:
        complain(profile.error)
    if outcome.interrupted:
        return INTERRUPTED
    broken = _broken(profile, options.thresholds) if profile.pipelines else []
    return FAILED if profile.error else FOUND if broken else OK


def _broken(profile: Profile, thresholds: Thresholds) -> list[str]:
    """What does not hold, when it has been told, with what a comparison found in any case."""
    beside = comparison(profile, thresholds)
    complain(*beside.both)
    broken = [*violations(profile, thresholds), *beside.regressions]
    complain(*broken)
    return broken


def require_tensorflow(command: str) -> None:
    """Refuse where what a command measures with is missing."""
    for package, name in (("tensorflow", "TensorFlow"), ("networkx", "networkx")):
        if importlib.util.find_spec(package) is None:
            raise UserError(f"{command} needs {name}, which is not installed; run `pip install 'pipelint[dynamic]'`")


def _check_before_running(options: ProfileOptions) -> None:
    """Refuse what would only be noticed when the time is spent."""
    require_tensorflow("profile")
    if options.output_file:
        require_writable("--output-file", options.output_file)
    if options.graph:
        if options.graph.suffix not in _DRAWINGS:
            raise UserError(f"--graph: {options.graph} must end in {' or '.join(_DRAWINGS)}")
        require_writable("--graph", options.graph)
    if options.compare:
        earlier_profile(options.compare)


def analysed(run: MeasuredRun, path: Path, allow_local_rules: bool = False) -> Profile:
    """What there is to tell of a run, with the rules and the fixes for this file or directory."""
    from pipelint.cli.actions.source_fixes import SourceFixes
    from pipelint.dynamic.predict.profile_of_run import profile_of_run
    from pipelint.project.projects import Overrides, Projects

    project = Projects(Overrides(allow_local_rules=allow_local_rules), tell=complain).of(path)
    return profile_of_run(run, project, SourceFixes(project, path if path.is_file() else None).find)


def _report(profile: Profile, options: ProfileOptions) -> None:
    report = importlib.import_module(f"pipelint.report.profile.{options.output_format}")
    if options.output_file:
        write_report("--output-file", options.output_file, report.render(profile))
    else:
        shown = _without_error(profile) if options.output_format == "text" else profile
        width = shutil.get_terminal_size().columns if sys.stdout.isatty() else None
        text = report.render(shown, color=wants_color(options.color, sys.stdout), width=width)
        emit(readable(text) if options.output_format == "text" else text, sys.stdout)
    if options.graph:
        from pipelint.report.profile import graph as profile_graph

        drawn = profile_graph.svg(profile) if options.graph.suffix == ".svg" else profile_graph.dot(profile)
        write_report("--graph", options.graph, drawn)


def _without_error(profile: Profile) -> Profile:
    """The profile for those who read stderr too, where the error stands."""
    told = profile.error or ""
    pipelines = [replace(pipeline, note="") if pipeline.note in told else pipeline for pipeline in profile.pipelines]
    return replace(profile, pipelines=tuple(pipelines), error=None)
