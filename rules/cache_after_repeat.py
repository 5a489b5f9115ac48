from __future__ import annotations

from pipelint.rule import COUNTERS, Example, Findings, Program, Related, Rule, Severity, Stage

from ._caching import before_repeat
from ._choices import stand_together
from ._endless import endless_repeat


class CacheAfterRepeat(Rule):
    """`cache` after an endless `repeat` keeps element after element, and never gives one of them back.

    ## What it finds
    A `cache` with a `repeat` without a count before it, and no `take` between them.

    ## Why it matters
    A cache is read from once its input has come to an end. This one has none: every epoch computes all elements anew, and
    the cache keeps all of them, those of the second epoch beside those of the first, until the memory or the disk is
    full. TensorFlow does what is written, in every version.

    ## When to ignore it
    There is no reason to. A warning where a `take` behind the cache bounds what it keeps. Silent for a `repeat` with a count, where flags decide on each of the two and no
    call in sight sets both, and where what repeats is a bare `range`, of which data is made up.

    ## Fix safety
    Unsafe: what is random between the two differs from before. The `repeat` moves after the cache, so that this keeps the work that is done
    between them; where a shuffle, a batch or a random function stands between, the cache moves before the `repeat`.
    No fix where it would then keep what is in memory already.

    ## References
    - https://www.tensorflow.org/api_docs/python/tf/data/Dataset#cache
    - https://www.tensorflow.org/guide/data_performance#caching
    """

    code = "PIPE304"
    name = "cache-after-repeat"
    severity = Severity.ERROR
    fix = "unsafe"
    words = ("cache",)
    examples = (
        Example(
            "each epoch parses the records again",
            """
            import tensorflow as tf

            ds = tf.data.TFRecordDataset(files).repeat().map(parse).cache().shuffle(10_000).batch(32)
            model.fit(ds, steps_per_epoch=1000, epochs=10)
            """,
            """
            import tensorflow as tf

            ds = tf.data.TFRecordDataset(files).map(parse).cache().repeat().shuffle(10_000).batch(32)
            model.fit(ds, steps_per_epoch=1000, epochs=10)
            """,
            severity=Severity.ERROR,
        ),
        Example(
            "shuffled batches",
            """
            import tensorflow as tf

            ds = tf.data.TFRecordDataset(files).map(parse).repeat().shuffle(10_000).batch(32).cache()
            model.fit(ds, steps_per_epoch=1000, epochs=10)
            """,
            """
            import tensorflow as tf

            ds = tf.data.TFRecordDataset(files).map(parse).cache().repeat().shuffle(10_000).batch(32)
            model.fit(ds, steps_per_epoch=1000, epochs=10)
            """,
        ),
        Example(
            "cached, then repeated",
            """
            import tensorflow as tf

            ds = tf.data.TFRecordDataset(files).map(parse).cache().repeat().batch(32)
            model.fit(ds, steps_per_epoch=1000, epochs=10)
            """,
            silent=True,
        ),
        Example(
            "a part of what repeats",
            """
            import tensorflow as tf

            ds = tf.data.TFRecordDataset(files).map(parse).repeat().take(100_000).cache().batch(32)
            model.fit(ds, epochs=10)
            """,
            silent=True,
        ),
    )

    def check(self, program: Program) -> Findings:
        for pipeline in program.pipelines:
            for cache in pipeline.stages:
                repeat = endless_repeat(cache) if cache.op == "cache" else None
                if repeat is not None and stand_together(repeat, cache) and not _makes_up(repeat):
                    bounded = _takes_part(cache)
                    kept = "all that are taken" if bounded else "more and more of them"
                    yield self.finding(
                        cache,
                        f"the elements before this cache never end: it keeps {kept} and gives none back; cache before `repeat`",
                        severity=pipeline.graded(Severity.WARNING if bounded else Severity.ERROR),
                        fix=before_repeat(cache, repeat),
                        related=(Related(repeat.name, "repeats for ever"),),
                    )


def _takes_part(cache: Stage) -> bool:
    """Whether a `take` behind a cache bounds what it keeps."""
    counts = (stage.argument("count") for stage in cache.downstream() if stage.op == "take")
    return any(count is not None and count.integer != -1 for count in counts)


def _makes_up(repeat: Stage) -> bool:
    """Whether nothing but numbers repeats, as where data is made up to see how fast a program is."""
    return all(stage.op in COUNTERS for stage in repeat.upstream())
