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
from ._prefetched_batches import batch_before, bytes_of_batch

_ENOUGH = 16
"""So many batches ahead even out all but stalls of seconds; more only take memory."""
_LARGE = 256e6
"""Bytes that a program for a machine with accelerators has to spare."""
_TOO_LARGE = 8e9
"""Bytes that, beside all else, machines with 16 GB lack: the program swaps or is ended."""


class PrefetchCountsBatches(Rule):
    """`prefetch` after `batch` counts batches, and is told to hold more of them than memory should.

    ## What it finds
    A buffer of more than 16 batches, as in `prefetch(batch_size)` after `batch(batch_size)`, where the batches are known
    to take more than 256 MB: pictures that its own functions decode and bring to a size that is written, and rows of large
    arrays.

    ## Why it matters
    `prefetch` counts the elements that it is given, which are batches there: `batch(256).prefetch(256)` holds up to 65,536
    pictures, decoded; of 224x224 pixels they are 39 GB. One or two batches are all that it takes to overlap the input with
    a step; the rest is memory that the shuffle buffer, the cache or the model could use, and time until it is filled.
    `tf.data.AUTOTUNE` begins with little and grows only as far as the consumer waits. TensorFlow keeps the number that is
    written, in every version.

    ## When to ignore it
    When batches come in bursts, with pauses of seconds between them, that a deep buffer shall bridge. A warning from 8 GB
    on, advice for less and for elements that are in memory anyway. Silent up to 16 batches, before `batch`, where it counts
    examples, and wherever the bytes of a batch or the number of batches are not known.

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

            def decode(path):
                return tf.image.resize(tf.io.decode_jpeg(tf.io.read_file(path)), (224, 224))

            ds = tf.data.Dataset.list_files("photos/*.jpg").map(decode, num_parallel_calls=tf.data.AUTOTUNE)
            model.fit(ds.batch(256).prefetch(256), epochs=10)
            """,
            """
            import tensorflow as tf

            def decode(path):
                return tf.image.resize(tf.io.decode_jpeg(tf.io.read_file(path)), (224, 224))

            ds = tf.data.Dataset.list_files("photos/*.jpg").map(decode, num_parallel_calls=tf.data.AUTOTUNE)
            model.fit(ds.batch(256).prefetch(tf.data.AUTOTUNE), epochs=10)
            """,
            severity=Severity.WARNING,
        ),
        Example(
            "rows of unknown size",
            """
            import tensorflow as tf

            model.fit(tf.data.TFRecordDataset(files).map(parse).batch(32).prefetch(1000), epochs=10)
            """,
            silent=True,
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
        batches, size = buffer.integer, bytes_of_batch(program, prefetch, batch)
        if batches is None or batches <= _ENOUGH or size is None or batches * size < _LARGE:
            return
        held = batches * size
        costly = held >= _TOO_LARGE and not is_in_memory(pipeline)
        yield self.finding(
            prefetch,
            f"after `{batch.op}` the buffer counts batches: it holds up to {batches} of them ready, {_shown(held)} if there are "
            "as many",
            severity=pipeline.graded(Severity.WARNING if costly else Severity.ADVICE),
            fix=Fix.safe("let TensorFlow choose how many", SetArgument(prefetch, "buffer_size", AUTOTUNE)),
            related=(Related(batch.name, "the batches are made here"),),
        )


def _shown(held: float) -> str:
    return f"{held / 1e9:.1f} GB" if held >= 1e9 else f"{held / 1e6:.0f} MB"
