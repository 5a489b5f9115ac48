from __future__ import annotations

from pipelint.rule import (
    FREE,
    PREFETCHES,
    SHUFFLES,
    Evidence,
    Example,
    Findings,
    Function,
    Program,
    Related,
    Rule,
    Severity,
    Stage,
)

from ._little_data import has_few

_PARSES = "tensorflow.io.parse_single_example"
_FEATURES = frozenset(
    f"tensorflow.io.{name}Feature" for name in ("FixedLen", "FixedLenSequence", "Ragged", "Sparse", "VarLen")
)
_ELEMENTWISE = frozenset({"tensorflow.cast", "tensorflow.Tensor.keys", "tensorflow.Tensor.items", "builtins.list"})
"""What does to a batch of parsed features what it does to each of them."""
_STAYS = FREE | SHUFFLES | PREFETCHES
"""Stages between the two that do with whole batches, or before them, what they do now."""


class ParseSingleExampleBeforeBatch(Rule):
    """Records are parsed one by one and then batched: TensorFlow parses a whole batch at once much faster.

    ## What it finds
    A `map` whose function only calls `tf.io.parse_single_example`, and casts what that gives, with `batch` after it.

    ## Why it matters
    A call of a mapped function costs some microseconds, and a tensor for each feature of each record is made, only to be
    copied into a batch. `tf.io.parse_example` after `batch` takes the records of a batch at once and writes their features
    where they belong, in one call.

    ## When to ignore it
    When the features are long, as sound or sequences, so that copying them takes the time, or when the model takes much
    longer for a batch than parsing does. Both are often so: the rule is off by default, for programs that wait for short
    records. Silent where the function also decodes, reshapes or draws, where other functions are mapped before `batch`, and
    for `padded_batch`.

    ## Fix safety
    No fix: write `ds.batch(n).map(parse)`, with `tf.io.parse_example` in place of `tf.io.parse_single_example`. A shuffle stays
    before the batch.

    ## References
    - https://www.tensorflow.org/api_docs/python/tf/io/parse_example
    - https://www.tensorflow.org/guide/data_performance#vectorizing_mapping
    """

    code = "PIPE105"
    name = "parse-single-example-before-batch"
    severity = Severity.ADVICE
    fix = "none"
    default = False
    words = ("parse_single_example",)
    examples = (
        Example(
            "parsed one by one",
            """
            import tensorflow as tf

            features = {"x": tf.io.FixedLenFeature([8], tf.float32), "y": tf.io.FixedLenFeature([], tf.int64)}

            def parse(record):
                row = tf.io.parse_single_example(record, features)
                return row["x"], row["y"]

            ds = tf.data.TFRecordDataset(files).map(parse, num_parallel_calls=tf.data.AUTOTUNE).batch(128)
            model.fit(ds, epochs=3)
            """,
        ),
        Example(
            "a batch at a time",
            """
            import tensorflow as tf

            features = {"x": tf.io.FixedLenFeature([8], tf.float32), "y": tf.io.FixedLenFeature([], tf.int64)}

            def parse(records):
                rows = tf.io.parse_example(records, features)
                return rows["x"], rows["y"]

            ds = tf.data.TFRecordDataset(files).batch(128).map(parse, num_parallel_calls=tf.data.AUTOTUNE)
            model.fit(ds, epochs=3)
            """,
            silent=True,
        ),
        Example(
            "pictures, which are decoded one by one",
            """
            import tensorflow as tf

            def parse(record):
                row = tf.io.parse_single_example(record, {"x": tf.io.FixedLenFeature([], tf.string)})
                return tf.image.resize(tf.io.decode_jpeg(row["x"]), (224, 224))

            ds = tf.data.TFRecordDataset(files).map(parse, num_parallel_calls=tf.data.AUTOTUNE).batch(128)
            model.predict(ds)
            """,
            silent=True,
        ),
    )
    evidence = Evidence(pair="parse-single-example-before-batch")

    def check(self, program: Program) -> Findings:
        for pipeline in program.pipelines:
            for stage in pipeline.stages if not has_few(program, pipeline) else ():
                batch = _batch_behind(stage)
                if batch is not None and _only_parses(program, stage):
                    yield self.finding(
                        stage,
                        "records are parsed one by one, and only then batched: batch first, and map tf.io.parse_example over the batches",
                        related=(Related(batch.name, "the batches are made here"),),
                    )


def _batch_behind(stage: Stage) -> Stage | None:
    """The `batch` that gets what a map gives as it is."""
    for later in stage.downstream() if stage.op == "map" else ():
        if later.op == "batch":
            return later
        selects = later.op == "map" and later.function is not None and later.function.selects
        if later.op not in _STAYS and not selects:
            return None
    return None


def _only_parses(program: Program, stage: Stage) -> bool:
    """Whether all that the function of a map calls is to parse a record and to cast what is in it."""
    for trace in program.mapped_traces(stage):
        # What functions of the program do that it calls stands beside them.
        called = [call.symbol for call in trace.calls if not isinstance(call.callee, Function)]
        return _PARSES in called and _FEATURES.union(_ELEMENTWISE, {_PARSES}).issuperset(called)
    return False
