from __future__ import annotations

from pipelint.rule import (
    Evidence,
    Example,
    Findings,
    Fix,
    Literal,
    Pipeline,
    Program,
    Purpose,
    Rule,
    SetArgument,
    Severity,
    Stage,
)

from ._interleaved_files import is_one_file
from ._purpose import proven_purpose
from ._shuffling import reshuffles


class OrderedWhenShuffled(Rule):
    """A parallel `interleave` keeps an order that a shuffle after it gives up anyway.

    ## What it finds
    `interleave` with `num_parallel_calls` and without `deterministic`, with a `shuffle` after it, in a pipeline that a
    model is trained on.

    ## Why it matters
    For the same order in each run, a record that is late holds up those of all other files. With `deterministic=False`
    records come as they are read; after a shuffle that draws anew in each epoch nobody can tell.

    ## When to ignore it
    When a run must be repeated to the bit: the seed of the shuffle does not help where its input comes in another
    order. Small local files are never late. Both are often so: the rule is off by default. Silent where a seed is set
    or op determinism is enabled, where the shuffle keeps its order, for a single file, and where options set it.

    ## Fix safety
    Unsafe: the same elements come in another order, in each run.

    ## References
    - https://www.tensorflow.org/api_docs/python/tf/data/Dataset#interleave
    """

    code = "PIPE207"
    name = "ordered-when-shuffled"
    severity = Severity.ADVICE
    fix = "unsafe"
    default = False
    words = ("interleave",)
    examples = (
        Example(
            "records of many files",
            """
            import tensorflow as tf

            files = tf.data.Dataset.list_files("gs://bucket/train-*")
            ds = files.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE)
            model.fit(ds.shuffle(10_000).map(parse).batch(32))
            """,
            """
            import tensorflow as tf

            files = tf.data.Dataset.list_files("gs://bucket/train-*")
            ds = files.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE, deterministic=False)
            model.fit(ds.shuffle(10_000).map(parse).batch(32))
            """,
        ),
        Example(
            "no shuffle",
            """
            import tensorflow as tf

            files = tf.data.Dataset.list_files("gs://bucket/test-*", shuffle=False)
            ds = files.interleave(tf.data.TFRecordDataset, cycle_length=16, num_parallel_calls=tf.data.AUTOTUNE)
            model.fit(ds.map(parse).batch(32))
            """,
            silent=True,
        ),
        Example(
            "the same in each run",
            """
            import tensorflow as tf

            files = tf.data.Dataset.list_files("gs://bucket/train-*", seed=1)
            ds = files.interleave(tf.data.TFRecordDataset, cycle_length=16, num_parallel_calls=tf.data.AUTOTUNE)
            model.fit(ds.shuffle(10_000, seed=1).map(parse).batch(32))
            """,
            silent=True,
        ),
    )
    evidence = Evidence(pair="ordered-when-shuffled")

    def check(self, program: Program) -> Findings:
        for pipeline in program.pipelines:
            if proven_purpose(pipeline) is not Purpose.TRAINING or _is_repeatable(program, pipeline):
                continue
            for stage in pipeline.stages if not pipeline.may_reorder else ():
                parallel = stage.op == "interleave" and not stage.omits("num_parallel_calls")
                if parallel and not is_one_file(stage) and _is_shuffled(stage):
                    yield self.finding(
                        stage,
                        "a late record holds up those of all files to keep an order that the shuffle after it gives up; "
                        "deterministic=False takes them as they come",
                        fix=Fix.unsafe("add deterministic=False", SetArgument(stage, "deterministic", Literal(False))),
                    )


def _is_shuffled(interleave: Stage) -> bool:
    return any(stage.op == "shuffle" and reshuffles(stage) for stage in interleave.downstream())


def _is_repeatable(program: Program, pipeline: Pipeline) -> bool:
    """Whether the program asks for the same in each run."""
    near = program.near(pipeline.end.name)
    return (
        near.op_determinism
        or any(not stage.omits("seed") for stage in pipeline.stages)
        or any(call.last_name in ("set_seed", "set_random_seed") for call in near.calls)
    )
