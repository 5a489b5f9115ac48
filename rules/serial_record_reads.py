from __future__ import annotations

from pipelint.rule import (
    AUTOTUNE,
    LISTS_FILES,
    SPLITS,
    ConsumerKind,
    Evidence,
    Example,
    Finding,
    Findings,
    Fix,
    Pipeline,
    Program,
    Rule,
    SetArgument,
    Severity,
    Stage,
)

from ._caching import may_be_cached
from ._order_of_examples import may_mix

_READER = "TFRecordDataset"
_IN_ORDER = frozenset({ConsumerKind.PREDICT, ConsumerKind.COLLECTION})
"""Predictions and lists are matched with what else is known of each element."""


class SerialRecordReads(Rule):
    """`TFRecordDataset` over several files reads them one after the other.

    ## What it finds
    A `TFRecordDataset` that is given several files (a list, a `glob`, a `list_files`) and does not set
    `num_parallel_reads`, and a `flat_map` that opens each file of a list with `TFRecordDataset`.

    ## Why it matters
    The next file is opened when the one before has ended, and one thread reads and checks all records. No version of
    TensorFlow makes this parallel by itself. Records on a network, or compressed ones, come as fast as one reader gets
    them; `num_parallel_reads` reads as many files at a time.

    ## When to ignore it
    When the order of the records matters, or when the files are small and local: those come out of the page cache
    faster than anything parses them. Silent where the argument or a test before it tells of a single path, where a
    `cache` keeps the records, and for records that are never batched, or neither shuffled nor known to be trained on.

    ## Fix safety
    Unsafe: the same records come, but those of several files are interleaved, which TensorFlow does by as many as a
    machine has cores; so none where the same reader also feeds `predict` or a list, nor before `shard`, `take` and
    `skip`, whose parts would differ. A `flat_map` has no such argument; use `interleave` with `num_parallel_calls` there.

    ## References
    - https://www.tensorflow.org/guide/data_performance#parallelizing_data_extraction
    """

    code = "PIPE204"
    name = "serial-record-reads"
    severity = Severity.ADVICE
    fix = "unsafe"
    words = (_READER, "flat_map")
    examples = (
        Example(
            "all files that match",
            """
            import tensorflow as tf

            files = tf.io.gfile.glob("gs://bucket/train-*.tfrecord")
            ds = tf.data.TFRecordDataset(files, compression_type="GZIP")
            model.fit(ds.map(parse).batch(32))
            """,
            """
            import tensorflow as tf

            files = tf.io.gfile.glob("gs://bucket/train-*.tfrecord")
            ds = tf.data.TFRecordDataset(files, compression_type="GZIP", num_parallel_reads=tf.data.AUTOTUNE)
            model.fit(ds.map(parse).batch(32))
            """,
        ),
        Example(
            "flat_map opens one file after the other",
            """
            import tensorflow as tf

            files = tf.data.Dataset.list_files("train-*.tfrecord")
            model.fit(files.flat_map(tf.data.TFRecordDataset).map(parse).batch(32))
            """,
            severity=Severity.ADVICE,
        ),
        Example(
            "one file, or who knows how many",
            """
            import tensorflow as tf

            model.fit(tf.data.TFRecordDataset("train.tfrecord").map(parse).batch(32))
            model.fit(tf.data.TFRecordDataset(filenames).map(parse).batch(32))
            """,
            silent=True,
        ),
        Example(
            "parallel already",
            """
            import tensorflow as tf

            model.fit(tf.data.TFRecordDataset(["a", "b"], num_parallel_reads=2).map(parse).batch(32))
            """,
            silent=True,
        ),
    )
    evidence = Evidence(pair="serial-record-reads")

    def check(self, program: Program) -> Findings:
        ordered = {
            stage.call
            for pipeline in program.pipelines
            if any(consumer.kind in _IN_ORDER for consumer in pipeline.consumers)
            for stage in pipeline.stages
        }
        for pipeline in program.pipelines:
            if not pipeline.batched or all(consumer.kind in _IN_ORDER for consumer in pipeline.consumers):
                continue
            for stage in pipeline.stages:
                if stage.op not in self.words or may_be_cached(program, stage) or not may_mix(pipeline, stage):
                    continue
                if stage.op == _READER and stage.several and not stage.has("num_parallel_reads"):
                    split = any(later.op in SPLITS for later in stage.downstream())
                    yield self._report_reader(pipeline, stage, fixable=stage.call not in ordered and not split)
                elif stage.op == "flat_map" and _reads_each_file(stage):
                    yield self._report_flat_map(pipeline, stage)

    def _report_reader(self, pipeline: Pipeline, reader: Stage, *, fixable: bool) -> Finding:
        title = "add num_parallel_reads=AUTOTUNE, which mixes the records of the files"
        fix = Fix.unsafe(title, SetArgument(reader, "num_parallel_reads", AUTOTUNE)) if fixable else None
        told = "reads its files one after the other; num_parallel_reads reads several at a time, in another order"
        return self.finding(reader, f"this {_READER} {told}", severity=pipeline.graded(Severity.ADVICE), fix=fix)

    def _report_flat_map(self, pipeline: Pipeline, stage: Stage) -> Finding:
        told = f"reads its files ({_READER}) one after the other; interleave with num_parallel_calls reads several at a time"
        return self.finding(stage, f"this flat_map {told}", severity=pipeline.graded(Severity.ADVICE))


def _reads_each_file(stage: Stage) -> bool:
    """Whether each element is a file of a list, and the function opens it and takes its records in turn."""
    sources = [part for part in stage.upstream() if part.is_source]
    if len(sources) != 1 or sources[0].op not in LISTS_FILES or sources[0].several is False:
        return False
    return bool(stage.inner) and all(_is_one_reader(inner) for inner in stage.inner)


def _is_one_reader(pipeline: Pipeline) -> bool:
    sources = [part for part in pipeline.stages if part.is_source]
    return [part.op for part in sources] == [_READER] and not sources[0].several
