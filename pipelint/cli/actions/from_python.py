"""The functions that `import pipelint` offers: what the commands do, arguments in, results out, nothing printed."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from pipelint.cli.actions.output import complain
from pipelint.lint.check_files import check_paths, check_source
from pipelint.lint.known_findings import KnownFindings
from pipelint.lint.task import Fixes, Mode, Task
from pipelint.project.projects import Overrides, Projects
from pipelint.project.settings import parse_target
from pipelint.report.check_view import CheckView
from pipelint.source.encoding import as_file
from pipelint.source.errors import UserError

if TYPE_CHECKING:
    from pipelint.model.tensorflow_version import Version
    from pipelint.report.profile.notebook_view import ProfileView
    from pipelint.report.tune.tune_view import TuneView

_Path = str | os.PathLike[str]


def check(
    target: _Path | bytes | Iterable[_Path],
    *,
    filename: _Path | None = None,
    select: str | Iterable[str] | None = None,
    extend_select: str | Iterable[str] = (),
    ignore: str | Iterable[str] = (),
    target_tensorflow: str | None = None,
    config: _Path | None = None,
    fix: bool = False,
    unsafe_fixes: bool = False,
) -> CheckView:
    """Check a file, a directory, several of them, or source, without running it; the result shows itself.

    A text with a line break is source, which stands in for the file `filename`; any other text is a path. With `fix`,
    files are changed, and `fixed_source` of the result is what becomes of source. Raises `pipelint.UserError`.
    """
    overrides = Overrides(
        select=None if select is None else _entries(select),
        extend_select=_entries(extend_select),
        ignore=_entries(ignore),
        target_tensorflow=_version(target_tensorflow),
    )
    projects = Projects(overrides, Path(config) if config is not None else None, tell=complain)
    fixes = Fixes.ALL if unsafe_fixes else Fixes.SAFE
    task = Task(Mode.FIX if fix else Mode.REPORT, fixes, known=KnownFindings(baselines=True))
    if isinstance(target, bytes) or (isinstance(target, str) and "\n" in target):
        data = target if isinstance(target, bytes) else as_file(target)
        return CheckView(check_source(projects, Path(filename or "source.py"), data, task))
    if filename is not None:
        raise UserError("pipelint.check: `filename` goes with source, which has a line break, and not with a path")
    paths = [Path(path) for path in ([target] if isinstance(target, (str, os.PathLike)) else target)]
    for path in paths:
        if not path.exists():
            raise UserError(f"pipelint.check: {path} does not exist; a text is taken for source if it has a line break")
    return CheckView(check_paths(projects, paths, task))


def profile(dataset: object, *, seconds: float = 12.0) -> ProfileView:
    """Measure a tf.data dataset here and now; the result shows itself as text, and in a notebook as a page.

    Stages have places in the source if the dataset was made after `pipelint.watch()` or `%load_ext pipelint`.
    """
    from pipelint.cli.actions.profile import analysed  # what it imports is of no use to a check
    from pipelint.dynamic.process import in_callers_process
    from pipelint.report.profile.notebook_view import ProfileView

    return ProfileView(analysed(in_callers_process.measure(dataset, seconds), Path()))


def watch() -> None:
    """Remember from now on where datasets are made, so that `profile` can name the lines of their stages."""
    from pipelint.dynamic.process import in_callers_process  # as above

    in_callers_process.watch()


def tune(
    target: _Path,
    *,
    arguments: Iterable[str] = (),
    call: str | None = None,
    minutes: float = 10.0,
    step_time: float | None = None,
    write: bool = False,
    unsafe_fixes: bool = False,
) -> TuneView:
    """Try rewrites of a program's source in child processes, and give those that pay as a patch; it shows itself.

    The target is what `pipelint tune` takes, `step_time` is in seconds. With `write`, files are changed; with
    `unsafe_fixes` too, also by what may change order or random values. Raises `pipelint.UserError`.
    """
    from pipelint.cli.actions.tune import TuneOptions, tuned  # as above
    from pipelint.report.tune.tune_view import TuneView

    options = TuneOptions(
        target=os.fspath(target),
        arguments=tuple(arguments),
        call=call,
        write=write,
        unsafe_fixes=unsafe_fixes,
        minutes=minutes,
        service=None,
        step_time=step_time,
        output_format="text",
        output_file=None,
        traceback=False,
        allow_local_rules=False,
        color="never",
    )
    found = tuned(options)
    if found.tuning.error:
        raise UserError(found.tuning.error)
    if write:
        found.write()
    return TuneView(found.tuning)


def _entries(given: str | Iterable[str]) -> tuple[str, ...]:
    several = given.split(",") if isinstance(given, str) else given
    return tuple(entry.strip() for entry in several if entry.strip())


def _version(text: str | None) -> Version | None:
    try:
        return parse_target(text) if text is not None else None
    except ValueError as error:
        raise UserError(f"target_tensorflow: {error}") from error
