"""What TensorFlow does to a pipeline by itself, and what keeps it from doing so."""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum

from pipelint.rule import INJECT_PREFETCH, Pipeline, Program


class Hindrance(Enum):
    """Why TensorFlow leaves a pipeline as it is written."""

    FUNCTION = "iterated inside a tf.function"
    OPTIONS = "turned off by the options"
    VERSION = "an older target"


def hinders_prefetch(program: Program, pipelines: Iterable[Pipeline]) -> Hindrance | None:
    """What keeps TensorFlow from inserting a prefetch at the end of any of these pipelines; None where it does."""
    for pipeline in (pipelines := tuple(pipelines)):
        if any(consumer.in_tf_function for consumer in pipeline.consumers):
            return Hindrance.FUNCTION
    if any(pipeline.turns_off(*INJECT_PREFETCH.turned_off_by) for pipeline in pipelines):
        return Hindrance.OPTIONS
    return Hindrance.VERSION if program.target < INJECT_PREFETCH.since else None
