from __future__ import annotations

from pipelint.rule import (
    SPLITS,
    Example,
    Findings,
    Pipeline,
    Program,
    Related,
    Rule,
    Severity,
    Stage,
)

from ._caching import swap
from ._choices import stand_together
from ._endless import endless_repeat
from ._passes import has_few_epochs, is_read_once
from ._purpose import is_never_trained_on, only_evaluates
from ._shuffling import reshuffles, shuffles, was_shuffled_before


class CacheAfterShuffle(Rule):
    """`cache` after `shuffle` freezes the order: every epoch sees the elements as the first one did.

    ## What it finds
    A `cache` with a `shuffle` before it and none after it.

    ## Why it matters
    `shuffle` gives another order each epoch, but the cache keeps the order of the first pass, and with `batch` before
    the cache the very same batches. Training on a fixed order converges worse, and nothing in the output shows it.
    TensorFlow does what is written, in every version.

    ## When to ignore it
    When a fixed order is wanted: say so with `reshuffle_each_iteration=False`, and the rule is silent. Silent where
    nothing that takes the elements trains, so that order does not matter, for a single epoch, with a later `shuffle`, where flags decide on each of the
    two and no call in sight sets both, and where a parameter leaves the shuffle out by default and no call sets it. A warning where a split is taken of the shuffled elements, which the cache keeps apart from the second pass on. Advice,
    without a fix, where the elements have been shuffled before, once, and `fit` has fewer than ten epochs.

    ## Fix safety
    Unsafe: from the second epoch on the order differs. The cache never moves before a `map`, whose work it keeps; one
    that would keep bare slices of arrays goes.

    ## References
    - https://www.tensorflow.org/guide/data_performance#caching
    """

    code = "PIPE302"
    name = "cache-after-shuffle"
    severity = Severity.ERROR
    fix = "unsafe"
    words = ("cache",)
    examples = (
        Example(
            "shuffled once",
            """
            import tensorflow as tf

            model.fit(tf.data.TFRecordDataset(files).shuffle(10_000).cache().batch(32), epochs=10)
            """,
            """
            import tensorflow as tf

            model.fit(tf.data.TFRecordDataset(files).cache().shuffle(10_000).batch(32), epochs=10)
            """,
            severity=Severity.ERROR,
        ),
        Example(
            "the same batches in every epoch",
            """
            import tensorflow as tf

            ds = tf.data.TFRecordDataset(files).shuffle(10_000).batch(32)
            ds = ds.cache()
            model.fit(ds, epochs=10)
            """,
            """
            import tensorflow as tf

            ds = tf.data.TFRecordDataset(files).cache().shuffle(10_000).batch(32)
            model.fit(ds, epochs=10)
            """,
        ),
        Example(
            "a fixed order on purpose",
            """
            import tensorflow as tf

            ds = tf.data.TFRecordDataset(files).shuffle(10_000, reshuffle_each_iteration=False).cache()
            model.fit(ds.batch(32), epochs=10)
            """,
            silent=True,
        ),
        Example(
            "shuffled again after the cache",
            """
            import tensorflow as tf

            model.fit(tf.data.TFRecordDataset(files).shuffle(100).cache().shuffle(10_000).batch(32), epochs=10)
            """,
            silent=True,
        ),
        Example(
            "evaluation",
            """
            import tensorflow as tf

            model.evaluate(tf.data.TFRecordDataset(files).shuffle(100).batch(32).cache())
            """,
            silent=True,
        ),
    )

    def check(self, program: Program) -> Findings:
        for pipeline in program.pipelines:
            for stage in () if is_read_once(program, pipeline) else pipeline.stages:
                if stage.op != "cache" or only_evaluates(pipeline, stage) or is_never_trained_on(program, stage):
                    continue
                if not _may_shuffle_behind(pipeline, stage):
                    yield from self._check_cache(program, pipeline, stage)

    def _check_cache(self, program: Program, pipeline: Pipeline, cache: Stage) -> Findings:
        before = (stage for stage in cache.upstream() if reshuffles(stage) and not stage.off_by_default)
        shuffle = next((stage for stage in before if stand_together(stage, cache)), None)
        if shuffle is None or any(map(endless_repeat, pipeline.counterparts(cache))):
            return
        between = cache.straight_up_to(shuffle)
        severity, instead, fix = Severity.ERROR, "", swap(cache, shuffle, between)
        if any(stage.op in SPLITS for stage in between):
            # The cache is what keeps the parts of a split from mixing, so it stays where it is.
            severity, instead = Severity.WARNING, "; shuffle the part once more after the cache"
        if was_shuffled_before(shuffle) and has_few_epochs(program, pipeline):
            # Batches that are random once tell a few epochs nothing false, and to make them anew costs time.
            severity, fix = Severity.ADVICE, None
        yield self.finding(
            cache,
            f"this cache keeps the order that shuffle gave in the first epoch: the later ones are not shuffled{instead}",
            severity=pipeline.graded(severity),
            fix=fix,
            related=(Related(shuffle.name, "shuffles only until the cache is full"),),
        )


def _may_shuffle_behind(pipeline: Pipeline, cache: Stage) -> bool:
    """Whether some way through the program shuffles behind this cache."""
    return any(shuffles(later) for stage in pipeline.counterparts(cache) for later in stage.downstream())
