"""Finds what makes TensorFlow and Keras input pipelines slow or wrong, and repairs the source."""

from pipelint.version import __version__ as __version__

# Nothing of the standard library is imported here: `python -m pipelint` would look for it in the working directory.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from pipelint.report.profile.notebook_view import ProfileView


def profile(dataset: object, *, seconds: float = 16.0) -> "ProfileView":
    """Measure a tf.data dataset here and now; the result shows itself as text, and in a notebook as a page.

    Stages have places in the source if the dataset was made behind `pipelint.watch()` or `%load_ext pipelint`.
    """
    from pathlib import Path

    from pipelint.cli.actions.profile import analysed
    from pipelint.dynamic.process import in_callers_process
    from pipelint.report.profile.notebook_view import ProfileView

    return ProfileView(analysed(in_callers_process.measure(dataset, seconds), Path()))


def watch() -> None:
    """Remember from now on where datasets are made, so that `profile` can name the lines of their stages."""
    from pipelint.dynamic.process import in_callers_process

    in_callers_process.watch()


def load_ipython_extension(shell: object) -> None:
    """`%load_ext pipelint` does what `watch` does."""
    watch()
