"""`pipelint.profile(dataset)`: measures in the caller's own process, and shows the result where it is called."""

from __future__ import annotations

import html
import sys
from typing import Any

from pipelint.dynamic.process.channel import Message, Progress
from pipelint.dynamic.process.progress_bar import ProgressBar
from pipelint.dynamic.profile import Profile
from pipelint.source.errors import UserError

_FRAME = '<iframe srcdoc="{page}" style="width: 100%; height: 720px; border: 0" sandbox="allow-scripts"></iframe>'


class ProfileView:
    """A profile that a terminal shows as text and a notebook as a page."""

    def __init__(self, profile: Profile) -> None:
        self.profile = profile

    def __repr__(self) -> str:
        from pipelint.report.profile import text as profile_text

        return profile_text.render(self.profile).rstrip("\n")

    def _repr_html_(self) -> str:
        from pipelint.report.profile import html as profile_html

        return _FRAME.format(page=html.escape(profile_html.render(self.profile)))


def watch() -> None:
    """Remember from now on where datasets are made, so that their stages have places in the source."""
    _require_tensorflow()
    from pipelint.dynamic.capture import lineage

    lineage.install()


def profile(dataset: Any, seconds: float) -> ProfileView:
    """Measure a dataset, or each in a tuple, list or dictionary of them."""
    tf = _require_tensorflow()
    from pipelint.dynamic.analysis import analyse
    from pipelint.dynamic.process.session import Consumption, Session
    from pipelint.dynamic.process.target import datasets_in
    from pipelint.dynamic.recording import RecordedConsumer
    from pipelint.knowledge.words import purpose_of_words

    found = list(datasets_in(dataset, lambda value: isinstance(value, tf.data.Dataset)))
    if not found:
        raise UserError(f"pipelint.profile takes a tf.data dataset, not {type(dataset).__qualname__}")
    watch()
    with ProgressBar(sys.stderr) as bar:
        session = Session("pipelint.profile", seconds, lambda message: _show(bar, message))
        for name, one in found:
            role = purpose_of_words([name]).value
            session.measure([Consumption(one, RecordedConsumer("dataset", role))])
    return ProfileView(analyse(session.recording))


def _show(bar: ProgressBar, message: Message) -> None:
    if isinstance(message, Progress):
        bar.show(message)


def _require_tensorflow() -> Any:
    from pipelint.dynamic.process.worker import unsupported

    try:
        import tensorflow as tf
    except ImportError as error:
        raise UserError("pipelint.profile needs TensorFlow; install it with `pip install pipelint[dynamic]`") from error
    if problem := unsupported(tf.__version__):
        raise UserError(problem)
    return tf
