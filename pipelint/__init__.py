"""Finds what makes TensorFlow and Keras input pipelines slow or wrong, and repairs the source."""

from pipelint.version import __version__

# Nothing of the standard library is imported here: `python -m pipelint` would look for it in the working directory.
TYPE_CHECKING = False
if TYPE_CHECKING:
    import os
    from collections.abc import Iterable

    from pipelint.report.check_view import CheckView
    from pipelint.report.profile.notebook_view import ProfileView
    from pipelint.report.tune.tune_view import TuneView
    from pipelint.source.errors import UserError

__all__ = ["CheckView", "ProfileView", "TuneView", "UserError", "__version__", "check", "profile", "tune", "watch"]

_LOADED_WHEN_ASKED_FOR = {
    "CheckView": "pipelint.report.check_view",
    "ProfileView": "pipelint.report.profile.notebook_view",
    "TuneView": "pipelint.report.tune.tune_view",
    "UserError": "pipelint.source.errors",
}


def check(
    target: "str | os.PathLike[str] | bytes | Iterable[str | os.PathLike[str]]",
    *,
    filename: "str | os.PathLike[str] | None" = None,
    select: "str | Iterable[str] | None" = None,
    extend_select: "str | Iterable[str]" = (),
    ignore: "str | Iterable[str]" = (),
    target_tensorflow: str | None = None,
    config: "str | os.PathLike[str] | None" = None,
    fix: bool = False,
    unsafe_fixes: bool = False,
) -> "CheckView":
    """Check a file, a directory, several of them, or source, without running it; the result shows itself.

    A text with a line break is source, which stands in for the file `filename`; any other text is a path. With `fix`,
    files are changed, and `fixed_source` of the result is what becomes of source. Raises `pipelint.UserError`.
    """
    from pipelint.cli.actions import from_python

    return from_python.check(
        target,
        filename=filename,
        select=select,
        extend_select=extend_select,
        ignore=ignore,
        target_tensorflow=target_tensorflow,
        config=config,
        fix=fix,
        unsafe_fixes=unsafe_fixes,
    )


def profile(dataset: object, *, seconds: float = 16.0) -> "ProfileView":
    """Measure a tf.data dataset here and now; the result shows itself as text, and in a notebook as a page.

    Stages have places in the source if the dataset was made after `pipelint.watch()` or `%load_ext pipelint`.
    """
    from pathlib import Path

    from pipelint.cli.actions.profile import analysed
    from pipelint.dynamic.process import in_callers_process
    from pipelint.report.profile.notebook_view import ProfileView

    return ProfileView(analysed(in_callers_process.measure(dataset, seconds), Path()))


def tune(
    target: "str | os.PathLike[str]",
    *,
    arguments: "Iterable[str]" = (),
    call: str | None = None,
    minutes: float = 10.0,
    step_time: float | None = None,
    write: bool = False,
    unsafe_fixes: bool = False,
) -> "TuneView":
    """Try rewrites of a program's source in child processes, and give those that pay as a patch; it shows itself.

    The target is what `pipelint tune` takes, `step_time` is in seconds. With `write`, files are changed; with
    `unsafe_fixes` too, also by what may change order or random values. Raises `pipelint.UserError`.
    """
    from pipelint.cli.actions import from_python

    return from_python.tune(
        target,
        arguments=arguments,
        call=call,
        minutes=minutes,
        step_time=step_time,
        write=write,
        unsafe_fixes=unsafe_fixes,
    )


def watch() -> None:
    """Remember from now on where datasets are made, so that `profile` can name the lines of their stages."""
    from pipelint.dynamic.process import in_callers_process

    in_callers_process.watch()


def load_ipython_extension(shell: object) -> None:
    """`%load_ext pipelint` does what `watch` does."""
    watch()


if not TYPE_CHECKING:  # else every name would count as known

    def __getattr__(name):
        if name not in _LOADED_WHEN_ASKED_FOR:
            raise AttributeError(f"module 'pipelint' has no attribute {name!r}")
        from importlib import import_module

        return getattr(import_module(_LOADED_WHEN_ASKED_FOR[name]), name)
