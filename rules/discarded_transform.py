from __future__ import annotations

from pipelint.rule import (
    INJECT_PREFETCH,
    KEEPS,
    PREFETCHES,
    AssignBack,
    Example,
    Findings,
    Fix,
    Pipeline,
    Program,
    Rule,
    Severity,
    Stage,
)

from ._little_data import elements_of
from ._revived_stages import breaks_code_below, is_shuffle_of_loaded_batches


class DiscardedTransform(Rule):
    """A dataset method is called and its result dropped: the stage is lost.

    ## What it finds
    A transformation as a statement of its own, such as `ds.shuffle(1000)` on a line.

    ## Why it matters
    Datasets are immutable: each method returns a new dataset and leaves the old one as it was. The program runs, but
    without the shuffling, batching or caching that the line seems to add. A lost `cache` costs time
    alone and is a warning, a lost `prefetch` advice where TensorFlow inserts one by itself (2.11 and later), and so is a lost
    `shuffle` of the batches that `make_csv_dataset` and its like make: they shuffle. TensorFlow gives no warning in any
    version.

    ## When to ignore it
    When the call is made only to see whether it raises. Silent where it is all that a `try` holds whose outcome is told,
    for a dataset of one element, and for methods with an effect of their own (`save`).

    ## Fix safety
    Unsafe: the stage takes effect for the first time, so the elements change. No fix for `unbatch` and `window`, and for
    `batch` where a loop takes the elements, which is written for those that it gets today, nor for what is dropped next, nor
    for a `shuffle` before `take` and `skip`: reshuffled in each epoch, examples would pass from one part to the other, and
    for one that would hold more than 1000 decoded elements: shuffle the files or records instead. None for `take`, `skip` and
    `shard` of batches, as the number may count examples.

    ## References
    - https://www.tensorflow.org/api_docs/python/tf/data/Dataset
    """

    code = "PIPE110"
    name = "discarded-transform"
    severity = Severity.ERROR
    fix = "unsafe"
    examples = (
        Example(
            "a shuffle that never happens",
            """
            import tensorflow as tf

            def load(images):
                ds = tf.data.Dataset.from_tensor_slices(images)
                ds.shuffle(1000)
                return ds.batch(32).prefetch(tf.data.AUTOTUNE)
            """,
            """
            import tensorflow as tf

            def load(images):
                ds = tf.data.Dataset.from_tensor_slices(images)
                ds = ds.shuffle(1000)
                return ds.batch(32).prefetch(tf.data.AUTOTUNE)
            """,
        ),
        Example(
            "an attribute, and a chain",
            """
            import tensorflow as tf

            class Data:
                def __init__(self, files):
                    self.ds = tf.data.TFRecordDataset(files)
                    self.ds.repeat().batch(
                        32,
                    )
            """,
            """
            import tensorflow as tf

            class Data:
                def __init__(self, files):
                    self.ds = tf.data.TFRecordDataset(files)
                    self.ds = self.ds.repeat().batch(
                        32,
                    )
            """,
        ),
        Example(
            "a variable of the module, which a function cannot just assign",
            """
            import tensorflow as tf

            ds = tf.data.TFRecordDataset("train.tfrecord")

            def prepare():
                ds.batch(32)
            """,
        ),
        Example(
            "called for its effect, and what is no dataset",
            """
            import random
            import tensorflow as tf

            ds = tf.data.Dataset.range(10)
            ds.save("/tmp/range")
            names = ["a", "b"]
            random.shuffle(names)
            rng.shuffle(names)
            """,
            silent=True,
        ),
    )

    def check(self, program: Program) -> Findings:
        for stage in (stage for stage in program.discarded if not stage.takes_few):
            if elements_of(Pipeline(stage)) == 1:
                continue
            yield self.finding(
                stage,
                f"`{stage.op}` returns a new dataset, and here it is dropped: the dataset itself stays as it was",
                fix=None if breaks_code_below(program, stage) else Fix.unsafe("assign the result", AssignBack(stage)),
                severity=_severity(program, stage),
            )


def _severity(program: Program, stage: Stage) -> Severity:
    """Without a prefetch or a cache the elements are the same, only later; TensorFlow may insert a prefetch itself.

    What loads batches shuffles their examples if it is not told otherwise; to move whole batches does little beside that.
    """
    if is_shuffle_of_loaded_batches(stage):
        return Severity.ADVICE
    if stage.op in PREFETCHES:
        return Severity.ADVICE if program.newest >= INJECT_PREFETCH.since else Severity.WARNING
    return Severity.WARNING if stage.op in KEEPS else Severity.ERROR
