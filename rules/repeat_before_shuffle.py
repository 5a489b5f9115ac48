from __future__ import annotations

from pipelint.rule import (
    Example,
    Findings,
    Fix,
    Literal,
    MoveAfter,
    Program,
    Purpose,
    Related,
    Rule,
    Severity,
    Stage,
)

from ._choices import stand_together
from ._purpose import proven_purpose
from ._shuffling import shuffles


class RepeatBeforeShuffle(Rule):
    """`repeat` stands before `shuffle`, so that one epoch begins before the one before it has ended.

    ## What it finds
    A `shuffle` of what a `repeat` gives, in a pipeline that trains, with no shuffle before the two.

    ## Why it matters
    The buffer takes elements of the next epoch while some of this one are still in it: an example may come twice before
    another has come once, and what `steps_per_epoch` counts is no pass over the data. With `shuffle` first each epoch
    has every example once.

    ## When to ignore it
    When the borders of epochs do not matter, as for training by the number of steps: in the long run every example
    comes equally often, and the buffer never runs dry between epochs. What a model loses by it was not measured, so
    that the rule is off by default. Silent for `repeat(1)`, and where elements are batched between the two.

    ## Fix safety
    Unsafe: examples come in another order. None where other stages stand between the two.

    ## References
    - https://www.tensorflow.org/guide/data#randomly_shuffling_input_data
    """

    code = "PIPE405"
    name = "repeat-before-shuffle"
    severity = Severity.ADVICE
    fix = "unsafe"
    default = False
    words = ("repeat",)
    examples = (
        Example(
            "epochs run into each other",
            """
            import tensorflow as tf

            ds = tf.data.TFRecordDataset(files).map(parse).repeat().shuffle(10_000).batch(32)
            model.fit(ds, steps_per_epoch=500, epochs=10)
            """,
            """
            import tensorflow as tf

            ds = tf.data.TFRecordDataset(files).map(parse).shuffle(10_000).repeat().batch(32)
            model.fit(ds, steps_per_epoch=500, epochs=10)
            """,
        ),
        Example(
            "each epoch for itself",
            """
            import tensorflow as tf

            ds = tf.data.TFRecordDataset(files).map(parse).shuffle(10_000).repeat().batch(32)
            model.fit(ds, steps_per_epoch=500, epochs=10)
            """,
            silent=True,
        ),
        Example(
            "one pass",
            """
            import tensorflow as tf

            model.fit(tf.data.TFRecordDataset(files).map(parse).repeat(1).shuffle(10_000).batch(32))
            """,
            silent=True,
        ),
    )

    def check(self, program: Program) -> Findings:
        for pipeline in program.pipelines:
            for shuffle in pipeline.stages if proven_purpose(pipeline) is Purpose.TRAINING else ():
                repeat = _repeat_before(shuffle) if shuffles(shuffle) else None
                if repeat is not None:
                    yield self.finding(
                        repeat,
                        "the shuffle after this `repeat` mixes epochs: an example may come twice before another has come once; shuffle "
                        "first",
                        fix=_swap(repeat, shuffle),
                        related=(Related(shuffle.name, "shuffled here"),),
                    )


def _repeat_before(shuffle: Stage) -> Stage | None:
    """The repeat whose epochs a shuffle mixes, with nothing before it that shuffles."""
    found: Stage | None = None
    for stage in shuffle.straight_up():
        if shuffles(stage) or (found is None and stage.op in ("batch", "padded_batch", "cache")):
            return None
        if stage.op == "repeat" and found is None:
            count = stage.argument("count")
            once = count is not None and (count.value == Literal(1) or count.is_assumed)
            found = None if once or not stand_together(stage, shuffle) else stage
    return found


def _swap(repeat: Stage, shuffle: Stage) -> Fix | None:
    return Fix.unsafe("shuffle before repeat", MoveAfter(repeat, (shuffle,))) if shuffle.inputs == (repeat,) else None
