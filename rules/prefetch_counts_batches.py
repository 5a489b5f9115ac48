from __future__ import annotations

from pipelint.rule import (
    AUTOTUNE,
    PREFETCHES,
    Argument,
    Example,
    Findings,
    Fix,
    Pipeline,
    Program,
    Related,
    Rule,
    SetArgument,
    Severity,
    Stage,
)

from ._in_memory import is_in_memory
from ._light_elements import are_light, is_of_small_pictures
from ._little_data import only_reads_hundreds
from ._prefetched_batches import batch_before, name_of

_ENOUGH = 16
"""So many batches ahead even out all but stalls of seconds; more only take memory."""
_DEPTH = 100
"""So many batches nobody needs ready: the number was meant to count examples."""


class PrefetchCountsBatches(Rule):
    """`prefetch` after `batch` counts batches, and is told how many examples a batch has.

    ## What it finds
    `prefetch(batch_size)` after `batch(batch_size)`, or a buffer of more than 16 batches.

    ## Why it matters
    `prefetch` counts the elements that it is given, which are batches there: `batch(256).prefetch(256)` holds up to 65,536
    examples, decoded. One or two batches are all that it takes to overlap the input with a step; the rest is memory
    that the shuffle buffer, the cache or the model could use, and time until it is filled. `tf.data.AUTOTUNE` begins with little and
    grows only as far as the consumer waits. TensorFlow keeps the number that is written, in every version.

    ## When to ignore it
    When batches come in bursts, with pauses of seconds between them, that a deep buffer shall bridge. Silent up to 16,
    before `batch`, where it counts examples, for rows and small pictures, and for numbers that nothing in sight tells. Advice for elements that are in
    memory anyway, and for up to 100 batches that are written as a number of their own.

    ## Fix safety
    Safe: the elements and their order stay the same.

    ## References
    - https://www.tensorflow.org/api_docs/python/tf/data/Dataset#prefetch
    """

    code = "PIPE103"
    name = "prefetch-counts-batches"
    severity = Severity.WARNING
    fix = "safe"
    words = ("prefetch",)
    examples = (
        Example(
            "the size of a batch",
            """
            import tensorflow as tf

            ds = tf.data.Dataset.list_files("photos/*.jpg").map(lambda path: tf.io.decode_jpeg(tf.io.read_file(path)))
            model.fit(ds.batch(BATCH_SIZE).prefetch(BATCH_SIZE), epochs=10)
            """,
            """
            import tensorflow as tf

            ds = tf.data.Dataset.list_files("photos/*.jpg").map(lambda path: tf.io.decode_jpeg(tf.io.read_file(path)))
            model.fit(ds.batch(BATCH_SIZE).prefetch(tf.data.AUTOTUNE), epochs=10)
            """,
            severity=Severity.WARNING,
        ),
        Example(
            "a number of its own",
            """
            import tensorflow as tf

            model.fit(tf.data.TFRecordDataset(files).map(parse).batch(32).prefetch(1000), epochs=10)
            """,
            """
            import tensorflow as tf

            model.fit(tf.data.TFRecordDataset(files).map(parse).batch(32).prefetch(tf.data.AUTOTUNE), epochs=10)
            """,
            severity=Severity.WARNING,
        ),
        Example(
            "a few batches",
            """
            import tensorflow as tf

            model.fit(tf.data.TFRecordDataset(files).map(parse).batch(32).prefetch(4), epochs=10)
            """,
            silent=True,
        ),
        Example(
            "before batch, where it counts examples",
            """
            import tensorflow as tf

            model.fit(tf.data.TFRecordDataset(files).map(parse).prefetch(32).batch(32).prefetch(2), epochs=10)
            """,
            silent=True,
        ),
    )

    def check(self, program: Program) -> Findings:
        for pipeline in program.pipelines:
            for stage in pipeline.stages:
                buffer = stage.argument("buffer_size") if stage.op in PREFETCHES else None
                batch = batch_before(stage) if buffer is not None else None
                if buffer is not None and batch is not None:
                    yield from self._check_buffer(program, pipeline, stage, buffer, batch)

    def _check_buffer(
        self, program: Program, pipeline: Pipeline, prefetch: Stage, buffer: Argument, batch: Stage
    ) -> Findings:
        size = batch.argument("batch_size")
        same = (
            size is not None and name_of(program, buffer) != "" and name_of(program, buffer) == name_of(program, size)
        )
        batches = buffer.integer
        if (
            (batches is None and not same)
            or (batches is not None and batches <= _ENOUGH)
            or _is_small(program, pipeline)
        ):
            return
        deep = same or (batches is not None and batches > _DEPTH and not buffer.is_assumed)
        costly = deep and not is_in_memory(pipeline)
        number = batches if batches is not None else f"`{name_of(program, buffer)}`"
        yield self.finding(
            prefetch,
            f"after `{batch.op}` the buffer counts batches: it holds up to {number} of them ready, and takes their memory",
            severity=pipeline.graded(Severity.WARNING if costly else Severity.ADVICE),
            fix=Fix.safe("let TensorFlow choose how many", SetArgument(prefetch, "buffer_size", AUTOTUNE)),
            related=(Related(batch.name, "the batches are made here"),),
        )


def _is_small(program: Program, pipeline: Pipeline) -> bool:
    """Whether the examples are known to be rows or small pictures, or few: even many batches of them take little memory."""
    few = only_reads_hundreds(program.near(pipeline.end.name))
    return few or are_light(program, pipeline) or is_of_small_pictures(program, pipeline)
