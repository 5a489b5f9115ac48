from __future__ import annotations

from pipelint.rule import (
    Evidence,
    Example,
    Finding,
    Findings,
    Fix,
    MoveAfter,
    Pipeline,
    Program,
    Related,
    Rule,
    Safety,
    Severity,
    Stage,
)

from ._skipped_work import costly_maps_before, dropped_by


class TakeAfterExpensiveMap(Rule):
    """`skip` or `shard` after a `map` that reads or decodes throws that work away.

    ## What it finds
    A `skip` or `shard` with a `map` before it that reads, decodes or runs Python, and nothing but maps and `prefetch`
    between the two.

    ## Why it matters
    The elements that are dropped are computed first, in every epoch: `skip(1000)` decodes a thousand pictures before the
    first comes out, and each of eight workers with `shard(8, i)` decodes all of them to keep an eighth. Before the `map`
    the same elements are kept, and only those are computed. `take` does no such harm: it asks for no more than it gives, and a
    parallel `map` before it computes a few ahead. TensorFlow never changes their places, in any version.

    ## When to ignore it
    When a pass is short and taken once. Silent for `take`, for `skip` of up to 16 elements, after `filter`, `flat_map`,
    `interleave`, `batch` and `shuffle`, which count or order other elements, and after a `cache`, which pays once.

    ## Fix safety
    Safe where all maps between the two are proven stateless and order is kept: the elements are the same to the bit. Unsafe
    otherwise. None where the mapped dataset is also used whole or split by `take`: split what comes before the `map`, and
    map each part.

    ## References
    - https://www.tensorflow.org/api_docs/python/tf/data/Dataset#shard
    """

    code = "PIPE510"
    name = "take-after-expensive-map"
    severity = Severity.ADVICE
    fix = "safe or unsafe"
    words = ("skip", "shard")
    examples = (
        Example(
            "each worker decodes everything",
            """
            import tensorflow as tf

            def load(path):
                return tf.io.decode_jpeg(tf.io.read_file(path))

            ds = tf.data.Dataset.from_tensor_slices(paths).map(load).shard(workers, index)
            model.fit(ds.batch(32), epochs=10)
            """,
            """
            import tensorflow as tf

            def load(path):
                return tf.io.decode_jpeg(tf.io.read_file(path))

            ds = tf.data.Dataset.from_tensor_slices(paths).shard(workers, index).map(load)
            model.fit(ds.batch(32), epochs=10)
            """,
        ),
        Example(
            "a random crop: other values, of the same examples",
            """
            import tensorflow as tf

            def load(path):
                return tf.image.random_crop(tf.io.decode_jpeg(tf.io.read_file(path)), (64, 64, 3))

            model.fit(tf.data.Dataset.from_tensor_slices(paths).map(load).skip(1000).batch(32), epochs=10)
            """,
            """
            import tensorflow as tf

            def load(path):
                return tf.image.random_crop(tf.io.decode_jpeg(tf.io.read_file(path)), (64, 64, 3))

            model.fit(tf.data.Dataset.from_tensor_slices(paths).skip(1000).map(load).batch(32), epochs=10)
            """,
        ),
        Example(
            "take asks for no more than it gives",
            """
            import tensorflow as tf

            ds = tf.data.Dataset.from_tensor_slices(paths).map(lambda path: tf.io.decode_png(tf.io.read_file(path)))
            model.fit(ds.take(1000).batch(32), epochs=10)
            """,
            silent=True,
        ),
    )
    evidence = Evidence(pair="take-after-expensive-map")

    def check(self, program: Program) -> Findings:
        for pipeline in program.pipelines:
            for stage in pipeline.stages:
                maps = costly_maps_before(stage) if dropped_by(stage) else ()
                if maps:
                    yield self._report(pipeline, stage, maps)

    def _report(self, pipeline: Pipeline, drops: Stage, maps: tuple[Stage, ...]) -> Finding:
        first = maps[-1]
        label = first.function.label if first.function is not None else "the map"
        done = "read or decoded" if first.function is not None and first.function.causes else "computed"
        safe = all(stage.stateless for stage in maps) and not pipeline.may_reorder
        return self.finding(
            drops,
            f"`{drops.op}` drops elements that {label} has {done} before; "
            f"before that map it gives the same, and they are never computed",
            fix=Fix(
                f"move {drops.op} before the map",
                Safety.SAFE if safe else Safety.UNSAFE,
                MoveAfter(drops, first.inputs),
            ),
            related=(Related(first.name, "computes what is dropped"),),
            trial=drops.tried,
        )
