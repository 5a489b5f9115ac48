"""Measures in the caller's own process, for `pipelint.profile(dataset)`: the dataset lives there and nowhere else."""

from __future__ import annotations

import importlib.util
import sys
from typing import Any

from pipelint.dynamic.measure.measured_run import MeasuredRun
from pipelint.dynamic.process.channel import Message, Progress
from pipelint.dynamic.process.progress_bar import ProgressBar
from pipelint.knowledge.consumption import ConsumerKind
from pipelint.source.errors import UserError


def watch() -> None:
    """Remember from now on where datasets are made, so that their stages have places in the source."""
    _require_tensorflow()
    from pipelint.dynamic.capture import lineage

    lineage.install()


def measure(dataset: Any, seconds: float) -> MeasuredRun:
    """Measure a dataset, or each in a tuple, list or dictionary of them."""
    tf = _require_tensorflow()
    from pipelint.dynamic.process.consumed_dataset import ConsumedDataset
    from pipelint.dynamic.process.measuring_session import MeasuringSession
    from pipelint.dynamic.process.target import datasets_in
    from pipelint.knowledge.words import purpose_of_words
    from pipelint.model.consumer import Consumer
    from pipelint.model.locations import NOWHERE

    found = list(datasets_in(dataset, lambda value: isinstance(value, tf.data.Dataset)))
    if not found:
        raise UserError(f"pipelint.profile takes a tf.data dataset, not {type(dataset).__qualname__}")
    watch()
    with ProgressBar(sys.stderr) as bar:
        session = MeasuringSession("pipelint.profile", seconds, lambda message: _show(bar, message))
        for name, one in found:
            consumer = Consumer(ConsumerKind.ASKED_FOR, NOWHERE, purpose_of_words([name]))
            session.measure([ConsumedDataset(one, consumer)])
        session.try_changes()
    return session.run


def _show(bar: ProgressBar, message: Message) -> None:
    if isinstance(message, Progress):
        bar.show(message)


def _require_tensorflow() -> Any:
    from pipelint.dynamic.process.worker import unsupported

    if importlib.util.find_spec("networkx") is None:
        raise UserError("pipelint.profile needs networkx; install it with `pip install 'pipelint[dynamic]'`")
    try:
        import tensorflow as tf
    except ImportError as error:
        raise UserError(
            "pipelint.profile needs TensorFlow; install it with `pip install 'pipelint[dynamic]'`"
        ) from error
    if problem := unsupported(tf.__version__):
        raise UserError(problem)
    return tf
