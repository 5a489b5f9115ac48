from __future__ import annotations

from pipelint.rule import (
    AUTOTUNE,
    FILE_READERS,
    SHUFFLES,
    Evidence,
    Example,
    Finding,
    Findings,
    Fix,
    Pipeline,
    Program,
    Rule,
    Safety,
    SetArgument,
    Severity,
    Stage,
)

from ._interleaved_files import are_several_files, is_one_file, remote_scheme
from ._modules import defined_elsewhere
from ._purpose import only_converts


class UnparallelizedInterleave(Rule):
    """`Dataset.interleave` over files without `num_parallel_calls` reads one file at a time.

    ## What it finds
    An `interleave` whose function opens files (`TFRecordDataset`, `TextLineDataset`, ...) and that does not set
    `num_parallel_calls`.

    ## Why it matters
    A sequential `interleave` takes turns among its files, but never reads two at once: each read waits for the one
    before. No version of TensorFlow makes it parallel by itself. Where reads wait for a network, or where the inner
    dataset also maps one element at a time, this is a warning; for small local files it is advice, since those come out
    of the page cache, and where the inner `map` is parallel, since that one reads ahead in each open file.

    ## When to ignore it
    When the files are small and local. Silent for a single file, and, as advice, for loops without a model and where nothing
    shows that there are several files: no list of them, and no pattern with wildcards.

    ## Fix safety
    Safe when `cycle_length` is explicit, the function is proven stateless and nothing sets `deterministic=False`: the
    elements come in the same order. Without an explicit `cycle_length` the order changes, so it is unsafe there. None where
    each file is shuffled by itself: parallel calls fill more of those buffers.

    ## References
    - https://www.tensorflow.org/guide/data_performance#parallelizing_data_extraction
    """

    code = "PIPE203"
    name = "unparallelized-interleave"
    severity = Severity.WARNING
    fix = "safe or unsafe"
    words = ("interleave",)
    examples = (
        Example(
            "remote files",
            """
            import tensorflow as tf

            files = tf.data.Dataset.list_files("gs://bucket/train-*.tfrecord")
            model.fit(files.interleave(tf.data.TFRecordDataset, cycle_length=8).batch(32))
            """,
            """
            import tensorflow as tf

            files = tf.data.Dataset.list_files("gs://bucket/train-*.tfrecord")
            model.fit(files.interleave(tf.data.TFRecordDataset, cycle_length=8, num_parallel_calls=tf.data.AUTOTUNE).batch(32))
            """,
            severity=Severity.WARNING,
        ),
        Example(
            "local files, and no cycle_length: the order would change",
            """
            import tensorflow as tf

            lines = tf.data.Dataset.list_files("*.csv").interleave(tf.data.TextLineDataset)
            model.fit(lines.batch(32))
            """,
            """
            import tensorflow as tf

            lines = tf.data.Dataset.list_files("*.csv").interleave(tf.data.TextLineDataset, num_parallel_calls=tf.data.AUTOTUNE)
            model.fit(lines.batch(32))
            """,
            severity=Severity.ADVICE,
        ),
        Example(
            "one file",
            """
            import tensorflow as tf

            one = tf.data.Dataset.from_tensors("gs://bucket/train.tfrecord")
            model.fit(one.interleave(tf.data.TFRecordDataset).batch(32))
            """,
            silent=True,
        ),
    )
    evidence = Evidence(pair="unparallelized-interleave")

    def check(self, program: Program) -> Findings:
        for pipeline in program.all_pipelines:
            for stage in pipeline.stages:
                calls = stage.argument("num_parallel_calls")
                if stage.op != "interleave" or not stage.omits("num_parallel_calls") or (calls and calls.is_parameter):
                    continue
                reader = next((part.op for part in stage.inner_stages if part.op in FILE_READERS), None)
                if reader is None or is_one_file(stage) or _takes_one_by_one(stage):
                    continue
                found = self._report(program, pipeline, stage, reader)
                idle = only_converts(pipeline) or not (are_several_files(stage) or remote_scheme(stage))
                if found.severity is not Severity.ADVICE or not idle:
                    yield found

    def _report(self, program: Program, pipeline: Pipeline, stage: Stage, reader: str) -> Finding:
        remote = remote_scheme(stage)
        severity, reason = Severity.ADVICE, "from a network or a cold disk each read waits for the one before"
        if remote is not None:
            severity, reason = Severity.WARNING, f"the files are on {remote}, and each read waits for the one before"
        elif any(part.op == "map" and part.omits("num_parallel_calls") for part in stage.inner_stages):
            severity, reason = Severity.WARNING, "the map inside it runs for one file at a time too"
        safety = Safety.SAFE if _keeps_order(pipeline, stage) else Safety.UNSAFE
        fix = Fix("add num_parallel_calls=AUTOTUNE", safety, SetArgument(stage, "num_parallel_calls", AUTOTUNE))
        # Each file that is open has a buffer of its own, and parallel calls open more of them.
        shuffles = any(part.op in SHUFFLES for part in stage.inner_stages)
        return self.finding(
            stage,
            f"this interleave reads its files ({reader}) one at a time; {reason}",
            severity=pipeline.graded(severity),
            fix=None if shuffles else fix,
            related=defined_elsewhere(program, stage),
        )


def _takes_one_by_one(stage: Stage) -> bool:
    """Whether one file is open at a time by the length of the cycle, which bounds the parallel calls too."""
    cycle = stage.argument("cycle_length")
    return cycle is not None and cycle.constant == 1


def _keeps_order(pipeline: Pipeline, stage: Stage) -> bool:
    cycle = stage.argument("cycle_length")
    if cycle is None or cycle.is_autotune:
        return False
    return stage.stateless and not pipeline.may_reorder and not any(inner.may_reorder for inner in stage.inner)
