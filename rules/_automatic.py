"""What TensorFlow does to a pipeline by itself, and what keeps it from doing so."""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum

from pipelint.rule import Pipeline, Program

PREFETCH_INSERTED_SINCE = (2, 11)
_PREFETCH_OPTIONS = (
    "autotune.enabled",
    "experimental_optimization.autotune",
    "experimental_optimization.apply_default_optimizations",
    "experimental_optimization.inject_prefetch",
)


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
    if any(pipeline.turns_off(*_PREFETCH_OPTIONS) for pipeline in pipelines):
        return Hindrance.OPTIONS
    return Hindrance.VERSION if program.target < PREFETCH_INSERTED_SINCE else None
