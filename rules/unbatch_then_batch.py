from __future__ import annotations

from pipelint.rule import Evidence, Example, Findings, Fix, JoinStages, Program, Rule, Severity, Stage

from ._little_data import has_few

_REBATCH = (2, 13)
"""The first of the versions that are known to have `Dataset.rebatch`; some older ones may have it too."""
_TAKEN = frozenset({"batch_size", "drop_remainder"})
"""What `rebatch` takes as `batch` does."""


class UnbatchThenBatch(Rule):
    """`unbatch` and then `batch` take batches apart row by row, only to make batches of another size.

    ## What it finds
    `.unbatch().batch(n)`, one right after the other.

    ## Why it matters
    `unbatch` makes an element of each row, and `batch` copies all of them into new tensors. `rebatch` cuts and joins
    whole batches. How much that gives depends on the rows: measured from nothing, for batches that become larger and
    rows of some numbers, to several times, for large rows and batches that become smaller.

    ## When to ignore it
    When something else is asked for than another size: a shuffle belongs between the two. Since it depends so much on
    the size of the rows, the rule is off by default. Silent where any other stage stands between them, for few
    elements, and where the project admits a TensorFlow without `rebatch`.

    ## Fix safety
    Safe: the same batches come, to the bit. None where `batch` is given more than a size and `drop_remainder`, and
    where the two do not stand side by side.

    ## References
    - https://www.tensorflow.org/api_docs/python/tf/data/Dataset#rebatch
    """

    code = "PIPE106"
    name = "unbatch-then-batch"
    severity = Severity.ADVICE
    fix = "safe"
    default = False
    words = ("unbatch",)
    examples = (
        Example(
            "other batches than a loader gives",
            """
            import tensorflow as tf

            ds = tf.keras.utils.image_dataset_from_directory("images", batch_size=128)
            model.fit(ds.unbatch().batch(32, drop_remainder=True))
            """,
            """
            import tensorflow as tf

            ds = tf.keras.utils.image_dataset_from_directory("images", batch_size=128)
            model.fit(ds.rebatch(32, drop_remainder=True))
            """,
        ),
        Example(
            "shuffled in between",
            """
            import tensorflow as tf

            ds = tf.keras.utils.image_dataset_from_directory("images", batch_size=128)
            model.fit(ds.unbatch().shuffle(1000).batch(32))
            """,
            silent=True,
        ),
        Example(
            "an older TensorFlow",
            """
            import tensorflow as tf

            ds = tf.keras.utils.image_dataset_from_directory("images", batch_size=128)
            model.fit(ds.unbatch().batch(32))
            """,
            silent=True,
            target=(2, 8),
        ),
    )
    evidence = Evidence(pair="unbatch-then-batch")

    def check(self, program: Program) -> Findings:
        for pipeline in program.pipelines:
            works = program.works_with(_REBATCH, pipeline.end.name)
            for stage in pipeline.stages if works and not has_few(program, pipeline) else ():
                match stage:
                    case Stage(op="batch", inputs=(Stage(op="unbatch") as unbatch,)):
                        yield self.finding(
                            stage,
                            "rows are taken out of their batches only to be put in others: rebatch cuts and joins whole batches",
                            fix=_joined(unbatch, stage),
                        )


def _joined(unbatch: Stage, batch: Stage) -> Fix | None:
    if batch.hides_arguments or not _TAKEN.issuperset(batch.arguments):
        return None
    return Fix.safe("rebatch instead", JoinStages(unbatch, batch, "rebatch"))
