from __future__ import annotations

from pipelint.rule import (
    BATCHING,
    SHUFFLES,
    SPLITS,
    Example,
    Findings,
    Fix,
    Literal,
    MoveAfter,
    Pipeline,
    Program,
    Related,
    Rule,
    Severity,
    Stage,
)

from ._purpose import only_evaluates


class CacheAfterShuffle(Rule):
    """`cache` behind `shuffle` freezes the order: every epoch sees the elements as the first one did.

    ## What it finds
    A `cache` with a `shuffle` before it and none behind it.

    ## Why it matters
    `shuffle` gives another order each epoch, but the cache keeps the order of the first pass, and with `batch` before
    the cache the very same batches. Training on a fixed order converges worse, and nothing in the output shows it.
    TensorFlow does what is written, in every version.

    ## When to ignore it
    When a fixed order is wanted: say so with `reshuffle_each_iteration=False`, and the rule is silent. Silent for
    evaluation, where order does not matter, and with a later `shuffle`.

    ## Fix safety
    Unsafe: from the second epoch on the order differs.

    ## References
    - https://www.tensorflow.org/guide/data_performance#caching
    """

    code = "PIPE302"
    name = "cache-after-shuffle"
    severity = Severity.ERROR
    fix = "unsafe"
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
            "shuffled again behind the cache",
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
            for stage in pipeline.stages:
                if stage.op != "cache" or only_evaluates(pipeline, stage):
                    continue
                if not _may_shuffle_behind(pipeline, stage):
                    yield from self._check_cache(pipeline, stage)

    def _check_cache(self, pipeline: Pipeline, cache: Stage) -> Findings:
        shuffles = [stage for stage in cache.upstream() if stage.op in SHUFFLES and _reshuffles(stage)]
        if not shuffles:
            return
        first = shuffles[-1]
        fix = None
        between = cache.straight_up_to(first)
        # Where a split is taken of the shuffled elements, the cache keeps its parts from mixing.
        splits = any(stage.op in SPLITS for stage in between)
        if first.op == "shuffle" and len(first.inputs) == 1 and between and not splits:
            fix = Fix.unsafe("move cache before shuffle", MoveAfter(cache, first.inputs))
            # Work between the two should stay before the cache, unless the shuffle would then move whole batches.
            if any(stage.op == "map" for stage in between) and not any(stage.op in BATCHING for stage in between):
                fix = Fix.unsafe("move shuffle behind cache", MoveAfter(first, (cache,)))
        yield self.finding(
            cache,
            "this cache keeps the order that shuffle gave in the first epoch: the later ones are not shuffled again",
            severity=pipeline.graded(Severity.ERROR),
            fix=fix,
            related=(Related(first.name, "shuffles only until the cache is full"),),
        )


def _reshuffles(stage: Stage) -> bool:
    again = stage.argument("reshuffle_each_iteration")
    return not stage.hides_arguments and (again is None or again.value in (Literal(None), Literal(True)))


def _may_shuffle_behind(pipeline: Pipeline, cache: Stage) -> bool:
    """Whether some way through the program shuffles behind this cache."""
    return any(later.op in SHUFFLES for stage in pipeline.counterparts(cache) for later in stage.downstream())
