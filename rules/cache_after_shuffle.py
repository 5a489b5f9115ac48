from __future__ import annotations

from collections.abc import Iterator

from pipelint.model.finding import Finding, Fix, Related, Safety, Severity
from pipelint.model.pipeline import Pipeline, Stage
from pipelint.model.program import Program
from pipelint.model.purpose import Purpose, purpose
from pipelint.model.values import Literal
from pipelint.rule import Example, Rule

_SHUFFLES = frozenset({"shuffle", "shuffle_and_repeat"})


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

            ds = tf.data.TFRecordDataset(files).shuffle(10_000).cache().batch(32).prefetch(tf.data.AUTOTUNE)
            model.fit(ds, epochs=10)
            """,
            """
            import tensorflow as tf

            ds = tf.data.TFRecordDataset(files).cache().shuffle(10_000).batch(32).prefetch(tf.data.AUTOTUNE)
            model.fit(ds, epochs=10)
            """,
            severity=Severity.ERROR,
        ),
        Example(
            "the same batches in every epoch",
            """
            import tensorflow as tf

            ds = (
                tf.data.TFRecordDataset(files)
                .shuffle(10_000)
                .batch(32)
                .cache()
                .prefetch(tf.data.AUTOTUNE)
            )
            model.fit(ds, epochs=10)
            """,
            """
            import tensorflow as tf

            ds = (
                tf.data.TFRecordDataset(files)
                .cache()
                .shuffle(10_000)
                .batch(32)
                .prefetch(tf.data.AUTOTUNE)
            )
            model.fit(ds, epochs=10)
            """,
        ),
        Example(
            "a fixed order on purpose",
            """
            import tensorflow as tf

            ds = tf.data.TFRecordDataset(files).shuffle(10_000, reshuffle_each_iteration=False).cache()
            model.fit(ds.batch(32).prefetch(tf.data.AUTOTUNE), epochs=10)
            """,
            silent=True,
        ),
        Example(
            "shuffled again behind the cache",
            """
            import tensorflow as tf

            ds = tf.data.TFRecordDataset(files).shuffle(100).cache().shuffle(10_000)
            model.fit(ds.batch(32).prefetch(tf.data.AUTOTUNE), epochs=10)
            """,
            silent=True,
        ),
        Example(
            "evaluation",
            """
            import tensorflow as tf

            ds = tf.data.TFRecordDataset(files).shuffle(100).batch(32).cache().prefetch(tf.data.AUTOTUNE)
            model.evaluate(ds)
            """,
            silent=True,
        ),
    )

    def check(self, program: Program) -> Iterator[Finding]:
        for pipeline in program.pipelines:
            for stage in pipeline.stages:
                if stage.op != "cache" or purpose(pipeline, stage) is Purpose.EVALUATION:
                    continue
                if not _may_shuffle_behind(pipeline, stage):
                    yield from self._check_cache(pipeline, stage)

    def _check_cache(self, pipeline: Pipeline, cache: Stage) -> Iterator[Finding]:
        shuffles = [stage for stage in cache.upstream() if stage.op in _SHUFFLES and _reshuffles(stage)]
        if not shuffles:
            return
        first = shuffles[-1]
        fix = None
        between = _between(cache, first)
        # Where a split is taken of the shuffled elements, the cache keeps its parts from mixing.
        splits = any(stage.op in ("take", "skip", "shard") for stage in between)
        if first.op == "shuffle" and len(first.inputs) == 1 and between and not splits:
            fix = Fix("move cache before shuffle", Safety.UNSAFE, cache.move_after(first.inputs[0]))
        yield self.finding(
            cache.name,
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
    variants = pipeline.dataset.variants if pipeline.dataset else (pipeline,)
    same = (stage for variant in variants for stage in variant.stages if stage.call == cache.call)
    return any(later.op in _SHUFFLES for stage in same for later in stage.downstream())


def _between(cache: Stage, shuffle: Stage) -> list[Stage]:
    """The stages from the one before the cache up to the shuffle, none where branches merge between them."""
    stages: list[Stage] = []
    for stage in cache.straight_up():
        stages.append(stage)
        if stage is shuffle:
            return stages
    return []
