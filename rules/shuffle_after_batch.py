from __future__ import annotations

from pipelint.rule import (
    BATCHING,
    KEEPS,
    RETURNS_DATASETS,
    SHUFFLES,
    TAKES_APART,
    Example,
    Finding,
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

from ._choices import stand_together
from ._purpose import only_evaluates

_OTHER_ELEMENTS = TAKES_APART | RETURNS_DATASETS | {"group_by_window"}


class ShuffleAfterBatch(Rule):
    """`shuffle` behind `batch` moves whole batches: which examples share a batch never changes.

    ## What it finds
    A `shuffle` behind a `batch`, with no shuffle before the `batch`.

    ## Why it matters
    The elements behind `batch` are batches. Shuffling them changes the order of the batches, but each holds the same
    neighbours in every epoch, in the order of the files. The buffer also holds that many batches, so it takes more memory.

    ## When to ignore it
    When the batches are made on purpose, of sequences of one length for instance. Advice where a cache keeps the batches
    before they are shuffled, since the work in them would be done anew. Silent with a shuffle before `batch`
    too (`list_files` shuffles unless told not to), for a source that gives batches by itself, where `batch` makes the
    sequences that a later `batch` gathers, and for evaluation.

    ## Fix safety
    Unsafe: the elements of each batch differ. The buffer size is kept, so it then counts examples: raise it.

    ## References
    - https://www.tensorflow.org/guide/data#randomly_shuffling_input_data
    """

    code = "PIPE401"
    name = "shuffle-after-batch"
    severity = Severity.WARNING
    fix = "unsafe"
    examples = (
        Example(
            "in one chain",
            """
            import tensorflow as tf

            model.fit(tf.data.Dataset.from_tensor_slices((x, y)).batch(32).shuffle(1000), epochs=10)
            """,
            """
            import tensorflow as tf

            model.fit(tf.data.Dataset.from_tensor_slices((x, y)).shuffle(1000).batch(32), epochs=10)
            """,
        ),
        Example(
            "behind a cache: moving it up would freeze the order",
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
                batch = _batch_before(stage) if stage.op in SHUFFLES else None
                if batch is None or only_evaluates(pipeline, stage):
                    continue
                if stand_together(stage, batch) and not _is_settled(pipeline, stage):
                    yield self._report(pipeline, stage, batch)

    def _report(self, pipeline: Pipeline, shuffle: Stage, batch: Stage) -> Finding:
        between = {stage.op for stage in shuffle.straight_up_to(batch)}
        cached, kept = between & KEEPS, any(stage.op in KEEPS for stage in shuffle.downstream())
        # A cache behind it would keep the order of the first epoch (PIPE302): that one moves first.
        movable = shuffle.op == "shuffle" and not cached and not kept and "repeat" not in between
        then = "; before it, the buffer counts examples instead of batches" if movable else ""
        return self.finding(
            shuffle,
            f"this shuffle moves whole{' cached' if cached else ''} batches: each `{batch.op}` holds the same examples in every epoch{then}",
            severity=pipeline.graded(Severity.ADVICE if cached else Severity.WARNING),
            fix=Fix.unsafe("move shuffle before batch", MoveAfter(shuffle, batch.inputs)) if movable else None,
            related=(Related(batch.name, "the batches are made here"),),
        )


def _batch_before(shuffle: Stage) -> Stage | None:
    """The first stage that batches before the shuffle, None if the elements are shuffled, or are no batches."""
    batch: Stage | None = None
    for stage in shuffle.straight_up():
        if stage.op in _OTHER_ELEMENTS:
            return None
        if stage.op in BATCHING:
            size = stage.argument("batch_size")
            batch = stage if size is None or size.integer != 1 else None
    everything = [stage for part in shuffle.upstream() for stage in (part, *part.inner_stages)]
    if batch is None or not batch.inputs or any(_shuffles(stage) or stage.yields_batches for stage in everything):
        return None
    return batch


def _is_settled(pipeline: Pipeline, shuffle: Stage) -> bool:
    """Whether some way through the program batches behind this shuffle, or shuffles before the batch as well."""
    ways = list(pipeline.counterparts(shuffle))
    batched = any(later.op in BATCHING for stage in ways for later in stage.downstream())
    return batched or any(_shuffles(earlier) for stage in ways for earlier in stage.upstream())


def _shuffles(stage: Stage) -> bool:
    if stage.op == "list_files":
        shuffled = stage.argument("shuffle")
        return shuffled is None or shuffled.value != Literal(False)
    return stage.op in SHUFFLES
