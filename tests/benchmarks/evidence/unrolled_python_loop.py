"""A tf.function with two hundred turns of a loop, traced and called once: over Python's range and over tf.range.

Once it is traced, the unrolled one is the faster of the two.
"""

from __future__ import annotations

from typing import Any

from tests.benchmarks.evidence import Run, tf

SIZE = 1
_TURNS = 200


def _traced(size: int, turns: Any) -> Run:
    rows = tf.ones((8, 8))

    def run() -> None:
        for _ in range(size):

            def powers(x: Any) -> Any:
                for _ in turns(_TURNS):
                    x = tf.matmul(x, rows) * 0.1
                return x

            tf.function(powers)(rows)

    return run


def slow(size: int) -> Run:
    return _traced(size, range)


def fast(size: int) -> Run:
    return _traced(size, tf.range)
