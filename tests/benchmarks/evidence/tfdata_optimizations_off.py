"""As long a wait for each batch as for each step on it in a Python loop, with autotuning turned off and left on."""

from __future__ import annotations

from typing import Any

from tests.benchmarks.evidence import Run, tf, waiting
from tests.benchmarks.evidence.missing_prefetch_by_itself import loop_over

SIZE = 100
_MILLISECONDS = 4


def _batches(size: int) -> Any:
    return tf.data.Dataset.range(size * 8).batch(8).map(waiting(_MILLISECONDS))


def slow(size: int) -> Run:
    options = tf.data.Options()
    options.autotune.enabled = False
    return loop_over(_batches(size).with_options(options))


def fast(size: int) -> Run:
    return loop_over(_batches(size))
