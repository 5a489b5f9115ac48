from __future__ import annotations

from pipelint.rule import (
    KEEPS,
    SHUFFLES,
    Example,
    Findings,
    Fix,
    MoveAfter,
    Program,
    Related,
    Rule,
    Severity,
    Stage,
)

from ._choices import stand_together
from ._parts_of_caches import is_read_to_the_end, may_take_all
from ._passes import is_passed_once, is_read_once

_MAY_READ_ALL = SHUFFLES | KEEPS | {"apply", "repeat"}
"""Stages that may ask a cache for more elements than they are asked for: to fill a buffer, or to begin anew."""


class CacheThenTake(Rule):
    """`take` of what is cached ends each pass before the cache is full, so that nothing is ever read from it.

    ## What it finds
    A `cache` of which nothing but a `take` is read, in each epoch, with no shuffle or `repeat` between them.

    ## Why it matters
    A cache is read from once its input was read to the end. `take` stops before that: TensorFlow throws away what was
    cached so far, says so in its log, and computes the same elements anew in the next epoch. `take` before `cache` keeps
    just the elements that are used.

    ## When to ignore it
    When the number that is taken is that of all elements. Silent where that number is not written, for a few elements to look at (16 at most), for a single pass,
    where the number of elements is known and all are taken, and where something else in sight reads the cached dataset to its end, as
    `skip` does.

    The rule is off by default, since none of the 423 public files with a `repeat` or `cache` that it was tried on has it.

    ## Fix safety
    Unsafe: `cache` moves after `take`, and holds other elements than before. None where other stages stand
    between the two.

    ## References
    - https://www.tensorflow.org/api_docs/python/tf/data/Dataset#cache
    """

    code = "PIPE303"
    name = "cache-then-take"
    severity = Severity.WARNING
    fix = "unsafe"
    default = False
    words = ("cache",)
    examples = (
        Example(
            "a part of the records",
            """
            import tensorflow as tf

            ds = tf.data.TFRecordDataset(files).map(parse).cache().take(10_000).batch(32)
            model.fit(ds, epochs=10)
            """,
            """
            import tensorflow as tf

            ds = tf.data.TFRecordDataset(files).map(parse).take(10_000).cache().batch(32)
            model.fit(ds, epochs=10)
            """,
            severity=Severity.WARNING,
        ),
        Example(
            "batches",
            """
            import tensorflow as tf

            ds = tf.data.TFRecordDataset(files).map(parse).cache().batch(32).take(1000)
            model.fit(ds, epochs=10)
            """,
        ),
        Example(
            "the rest is read as well",
            """
            import tensorflow as tf

            ds = tf.data.TFRecordDataset(files).map(parse).cache()
            model.fit(ds.skip(1000).batch(32), validation_data=ds.take(1000).batch(32), epochs=10)
            """,
            silent=True,
        ),
        Example(
            "the shuffle may ask for all of them",
            """
            import tensorflow as tf

            ds = tf.data.TFRecordDataset(files).map(parse).cache().shuffle(10_000).take(1000).batch(32)
            model.fit(ds, epochs=10)
            """,
            silent=True,
        ),
    )

    def check(self, program: Program) -> Findings:
        for pipeline in program.pipelines:
            for take in pipeline.stages:
                cache = _cache_before(take) if take.op == "take" else None
                if cache is None or is_read_once(program, pipeline) or is_passed_once(program, pipeline):
                    continue
                if not may_take_all(cache, take) and not is_read_to_the_end(program, cache):
                    yield self.finding(
                        cache,
                        "each pass ends at `take`, before this cache is full: TensorFlow drops what it holds, and the next pass "
                        "computes it anew; take before `cache`",
                        severity=pipeline.graded(Severity.WARNING),
                        fix=_swap(cache, take),
                        related=(Related(take.name, "ends each pass"),),
                    )


def _cache_before(take: Stage) -> Stage | None:
    """The cache that gives no more elements than are taken."""
    for stage in take.straight_up():
        if stage.op == "cache":
            return stage if stand_together(stage, take) else None
        if stage.op in _MAY_READ_ALL:
            return None
    return None


def _swap(cache: Stage, take: Stage) -> Fix | None:
    if take.inputs != (cache,):
        return None
    return Fix.unsafe("move cache after take", MoveAfter(cache, (take,)))
