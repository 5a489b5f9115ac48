from __future__ import annotations

from pipelint.rule import (
    KEEPS,
    Example,
    Finding,
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

from ._caching import is_cached_later
from ._choices import stand_together
from ._drawn_anew import is_drawn_for_one_pass
from ._purpose import only_evaluates
from ._shuffled_batches import batch_before, buffer_of_examples, is_settled
from ._shuffling import shuffles


class ShuffleAfterBatch(Rule):
    """`shuffle` after `batch` moves whole batches: which examples share a batch never changes.

    ## What it finds
    A `shuffle` after a `batch`, with no shuffle before the `batch`.

    ## Why it matters
    The elements after `batch` are batches. Shuffling them changes the order of the batches, but each holds the same
    neighbours in every epoch, in the order of the files. The buffer also holds that many batches, so it takes more memory.

    ## When to ignore it
    When the batches are made on purpose, of sequences of one length for instance. Advice where a cache keeps the batches
    before they are shuffled, since the work in them would be done anew. Silent with a shuffle before `batch`
    too (`list_files` shuffles unless told not to), for a source that gives batches by itself, where `batch` makes the
    sequences that a later `batch` gathers, for arrays that a function draws at random and goes through once, and for
    evaluation.

    ## Fix safety
    Unsafe: the elements of each batch differ. Before `batch` the buffer counts examples, so the fix multiplies it by the
    batch size where its number is known, which reaches as far as before; one that is computed (`len(x)`, a cardinality)
    stays, and so does a buffer of 10,000 or more.

    ## References
    - https://www.tensorflow.org/guide/data#randomly_shuffling_input_data
    """

    code = "PIPE401"
    name = "shuffle-after-batch"
    severity = Severity.WARNING
    fix = "unsafe"
    words = ("shuffle",)
    examples = (
        Example(
            "in one chain",
            """
            import tensorflow as tf

            model.fit(tf.data.Dataset.from_tensor_slices((x, y)).batch(32).shuffle(1000), epochs=10)
            """,
            """
            import tensorflow as tf

            model.fit(tf.data.Dataset.from_tensor_slices((x, y)).shuffle(1000 * 32).batch(32), epochs=10)
            """,
        ),
        Example(
            "after a cache: moving it up would freeze the order",
            """
            import tensorflow as tf

            model.fit(tf.data.TFRecordDataset(files).batch(32).cache().shuffle(100), epochs=10)
            """,
            severity=Severity.ADVICE,
        ),
        Example(
            "shuffled before too",
            """
            import tensorflow as tf

            model.fit(tf.data.TFRecordDataset(files).shuffle(1000).batch(32).shuffle(10), epochs=10)
            """,
            silent=True,
        ),
        Example(
            "sequences that are batched later",
            """
            import tensorflow as tf

            chars = tf.data.Dataset.from_tensor_slices(ids).batch(101, drop_remainder=True).map(split)
            model.fit(chars.shuffle(10_000).batch(64), epochs=10)
            """,
            silent=True,
        ),
    )

    def check(self, program: Program) -> Findings:
        for pipeline in program.pipelines:
            for stage in pipeline.trunk:
                batch = batch_before(stage) if shuffles(stage) else None
                if batch is None or only_evaluates(pipeline, stage):
                    continue
                settled = is_settled(pipeline, stage) or is_drawn_for_one_pass(program, pipeline)
                if stand_together(stage, batch) and not settled:
                    yield self._report(program, pipeline, stage, batch)

    def _report(self, program: Program, pipeline: Pipeline, shuffle: Stage, batch: Stage) -> Finding:
        between = {stage.op for stage in shuffle.straight_up_to(batch)}
        cached, kept = between & KEEPS, is_cached_later(shuffle)
        # A cache behind it would keep the order of the first epoch (PIPE302): that one moves first.
        movable = shuffle.op == "shuffle" and not cached and not kept and "repeat" not in between
        loose = any(stage.has("deterministic") for stage in batch.straight_up())
        same = "neighbours of the files" if loose else "the same examples in every epoch"
        buffer = buffer_of_examples(program, shuffle, batch)
        then = "the buffer counts examples instead of batches" + (f": `{buffer.text}`" if buffer else "")
        return self.finding(
            shuffle,
            f"this shuffle moves whole{' cached' if cached else ''} batches: each `{batch.op}` holds {same}"
            + (f"; before it, {then}" if movable else ""),
            severity=pipeline.graded(Severity.ADVICE if cached else Severity.WARNING),
            fix=Fix.unsafe(
                f"move shuffle before batch, where {then}",
                MoveAfter(shuffle, batch.inputs, (("buffer_size", buffer.product),) if buffer else ()),
            )
            if movable
            else None,
            related=(Related(batch.name, "the batches are made here"),),
        )
