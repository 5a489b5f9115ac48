from __future__ import annotations

from pipelint.rule import (
    COUNTERS,
    MAPS,
    Effect,
    Example,
    Findings,
    Fix,
    MoveAfter,
    Pipeline,
    Program,
    Related,
    Rule,
    Severity,
    Stage,
)

from ._caching import draws, has_file, is_explained
from ._choices import stand_together
from ._passes import is_read_once
from ._purpose import is_never_trained_on, only_evaluates


class CacheAfterRandom(Rule):
    """`cache` after a random `map` freezes the random values: every epoch repeats the same augmentation.

    ## What it finds
    A `cache` with a `map` before it whose function draws random numbers (`tf.image.random_*`, `tf.random.*`, Keras
    `Random*` layers).

    ## Why it matters
    The first pass fills the cache, and all later epochs read the same augmented elements: the model sees one fixed
    version of each example, as if there were no augmentation. TensorFlow does what is written, in every version.

    ## When to ignore it
    When the data itself is random and must stay the same, as in a benchmark. Silent for elements that are made up from
    a `Dataset.range`, for `stateless_random_*` ops, whose values depend on the seed alone, for a single epoch, and where
    nothing that takes the elements trains.

    ## Fix safety
    Unsafe: from the second epoch on the elements differ, and the cache holds elements from before the `map`. None where
    the same function also reads or decodes, which a cache before it would not keep; where a comment says what the cache
    keeps; and none for a cache in a file: one that an earlier run has left would be augmented twice.

    ## References
    - https://www.tensorflow.org/guide/data_performance#caching
    """

    code = "PIPE301"
    name = "cache-after-random"
    severity = Severity.ERROR
    fix = "unsafe"
    words = ("cache",)
    examples = (
        Example(
            "cached augmentation",
            """
            import tensorflow as tf

            def augment(image):
                return tf.image.random_flip_left_right(image)

            ds = tf.data.Dataset.from_tensor_slices(images).map(decode)
            ds = ds.map(augment)
            ds = ds.cache()
            model.fit(ds.batch(32), epochs=10)
            """,
            """
            import tensorflow as tf

            def augment(image):
                return tf.image.random_flip_left_right(image)

            ds = tf.data.Dataset.from_tensor_slices(images).map(decode)
            ds = ds.cache()
            ds = ds.map(augment)
            model.fit(ds.batch(32), epochs=10)
            """,
            severity=Severity.ERROR,
        ),
        Example(
            "a Keras layer, in one chain",
            """
            import tensorflow as tf

            flip = tf.keras.layers.RandomFlip("horizontal")
            model.fit(tf.data.TFRecordDataset(files).batch(32).map(flip).cache(), epochs=10)
            """,
            """
            import tensorflow as tf

            flip = tf.keras.layers.RandomFlip("horizontal")
            model.fit(tf.data.TFRecordDataset(files).batch(32).cache().map(flip), epochs=10)
            """,
        ),
        Example(
            "the cache comes first",
            """
            import tensorflow as tf

            ds = tf.data.Dataset.from_tensor_slices(images).cache().map(tf.image.random_flip_up_down)
            model.fit(ds.batch(32), epochs=10)
            """,
            silent=True,
        ),
        Example(
            "stateless random operations repeat anyway",
            """
            import tensorflow as tf

            ds = tf.data.Dataset.from_tensor_slices(images)
            ds = ds.map(lambda x: tf.image.stateless_random_flip_left_right(x, seed=(1, 2))).cache()
            model.fit(ds.batch(32), epochs=10)
            """,
            silent=True,
        ),
    )

    def check(self, program: Program) -> Findings:
        for pipeline in program.pipelines:
            for stage in (stage for stage in pipeline.stages if stage.op == "cache"):
                trains = not only_evaluates(pipeline, stage) and not is_never_trained_on(program, stage)
                if trains and not is_read_once(program, pipeline):
                    yield from self._check_cache(program, pipeline, stage)

    def _check_cache(self, program: Program, pipeline: Pipeline, cache: Stage) -> Findings:
        drawn = [(stage, cause) for stage in cache.upstream() if stand_together(stage, cache) for cause in draws(stage)]
        if not drawn or all(stage.op in COUNTERS for stage in cache.upstream() if stage.is_source):
            return
        first, cause = drawn[-1]
        fix, instead = None, ""
        if first.cause(Effect.DECODE, Effect.READ, Effect.PYTHON):
            instead = "; give the random part a map of its own after the cache"
        elif has_file(cache):
            instead = f"; move it before the {first.op} and give it another file, for this one keeps what is augmented"
        elif first.op in MAPS and len(first.inputs) == 1 and first in cache.straight_up():
            fix = Fix.unsafe(f"move cache before this {first.op}", MoveAfter(cache, first.inputs))
            fix = None if is_explained(program, cache) else fix
        name = first.function.label if first.function and first.function.name else f"the {first.op} before it"
        yield self.finding(
            cache,
            f"this cache freezes the random values of {name} ({cause.name}): every epoch repeats the first{instead}",
            severity=pipeline.graded(Severity.ERROR),
            fix=fix,
            related=(Related(cause.location, "drawn once for each element, in the first epoch"),),
        )
