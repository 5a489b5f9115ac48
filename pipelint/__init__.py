"""Finds what makes TensorFlow and Keras input pipelines slow or wrong, and repairs the source."""

from pipelint.version import __version__

# Nothing of the standard library is imported here: `python -m pipelint` would look for it in the working directory.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from pipelint.cli.actions.from_python import check, profile, tune, watch
    from pipelint.report.check_view import CheckView
    from pipelint.report.profile.notebook_view import ProfileView
    from pipelint.report.tune.tune_view import TuneView
    from pipelint.source.errors import UserError

__all__ = ["CheckView", "ProfileView", "TuneView", "UserError", "__version__", "check", "profile", "tune", "watch"]

_FROM_PYTHON = "pipelint.cli.actions.from_python"
_LOADED_WHEN_ASKED_FOR = {
    "CheckView": "pipelint.report.check_view",
    "ProfileView": "pipelint.report.profile.notebook_view",
    "TuneView": "pipelint.report.tune.tune_view",
    "UserError": "pipelint.source.errors",
    "check": _FROM_PYTHON,
    "profile": _FROM_PYTHON,
    "tune": _FROM_PYTHON,
    "watch": _FROM_PYTHON,
}


def load_ipython_extension(shell: object) -> None:
    """`%load_ext pipelint` does what `watch` does."""
    from pipelint.cli.actions.from_python import watch

    watch()


if not TYPE_CHECKING:  # else every name would count as known

    def __getattr__(name):
        if name not in _LOADED_WHEN_ASKED_FOR:
            raise AttributeError(f"module 'pipelint' has no attribute {name!r}")
        from importlib import import_module

        return getattr(import_module(_LOADED_WHEN_ASKED_FOR[name]), name)

    def __dir__():
        return sorted({*globals(), *__all__})
