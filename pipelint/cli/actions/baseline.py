"""`pipelint baseline`: writes down what is found today."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

from pipelint.cli.actions.output import complain, emit, readable
from pipelint.cli.actions.run_options import RunOptions
from pipelint.cli.actions.status import FAILED, OK
from pipelint.display.figures import counted
from pipelint.display.terminal import one_line
from pipelint.lint.baseline import update
from pipelint.lint.check_files import check_paths
from pipelint.lint.diagnostic import Diagnostic
from pipelint.lint.task import Mode, Task
from pipelint.project.projects import Overrides, Project, Projects
from pipelint.project.setting_keys import DEFAULT_BASELINE
from pipelint.source.errors import UserError
from pipelint.source.paths import leads_out, place_of, shown_path


def run_baseline(options: RunOptions) -> int:
    """Bring the baselines of the paths' projects up to date, say how they changed, and give the exit status."""
    projects = Projects(options.overrides, options.config_file, tell=complain)
    paths = options.paths or (Path(),)
    found: dict[Path, list[Diagnostic]] = {_baseline_file(projects.of(path)): [] for path in paths}
    task = Task(Mode.LIST, force_exclude=options.force_exclude)
    results = check_paths(projects, paths, task, options.means())
    for diagnostic in results.diagnostics:
        project = projects.of_file(Path(diagnostic.span.path))
        found.setdefault(_baseline_file(project), []).append(diagnostic)
    failed = {Path(problem.path) for problem in results.problems}

    def was_loaded(file: Path, code: str) -> bool:
        project = projects.of_file(file)
        return project.has_all_rules or code in project.registry.known

    updates = [update(path, diagnostics, paths, failed, was_loaded) for path, diagnostics in found.items()]
    for done in updates:
        done.baseline.write()
        findings = counted(len(done.baseline.entries), "finding", "findings")
        counts = f"{done.added} added, {done.dropped} dropped, {done.kept} kept"
        text = f"Wrote {one_line(shown_path(done.baseline.path))}: {findings} ({counts}).\n"
        text += _how_it_is_used(done.baseline.path, projects) if done.baseline.entries else ""
        emit("" if options.quiet else readable(text), sys.stdout)
    complain(*map(str, results.problems))
    return FAILED if results.problems else OK


def _how_it_is_used(path: Path, projects: Projects) -> str:
    """Whether `pipelint check` takes it up by itself, and how not to."""
    project = replace(projects.of_file(path), overrides=Overrides())
    if project.baseline is not None and place_of(project.baseline) == place_of(path):
        return "`pipelint check` leaves these out from now on; --no-baseline shows them.\n"
    return f"`pipelint check --baseline {one_line(shown_path(path))}` leaves these out.\n"


def _baseline_file(project: Project) -> Path:
    if project.baseline:
        return project.baseline
    path = project.settings.root / DEFAULT_BASELINE
    if leads_out(path, project.settings.root):
        raise UserError(f"{shown_path(path)} is a link that leads out of the project; use --baseline for its target")
    return path
