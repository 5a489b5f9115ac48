from __future__ import annotations

from pipelint.rule import (
    KERAS_3_SINCE,
    Example,
    Finding,
    Findings,
    Fix,
    Pipeline,
    Program,
    Related,
    RemoveStage,
    Rule,
    Severity,
    Stage,
)

from ._endless import Epoch, endless_repeat, epochs_of, may_stop_at_a_step


class EndlessFit(Rule):
    """`fit` is given a dataset that repeats for ever, and no number of steps: its first epoch never ends.

    ## What it finds
    A `repeat` without a count whose elements `fit` takes without `steps_per_epoch`, `evaluate` or `predict` without
    `steps`, or `fit` as `validation_data` without `validation_steps`.

    ## Why it matters
    Keras asks for elements until the dataset is at its end, and this one has none: the first epoch goes on for ever, no
    validation is run and no checkpoint written, and all that follows in the program waits. Keras 2 refuses such a
    dataset with an error.

    ## When to ignore it
    When something out of sight ends the training. Silent where `take` ends the dataset, where a callback of the program looks at
    each step, and so can stop there, and where arguments are hidden in `**options`; where flags decide on the `repeat`, only if
    they also decide on the call.

    The rule is off by default: a training that never ends is noticed at once, and none of the 423 public files with a
    `repeat` or `cache` that it was tried on has this fault.

    ## Fix safety
    Unsafe: the epochs come to an end. It is made where nothing else takes the elements; `fit` starts a dataset anew in
    each epoch, so that it needs no `repeat`.

    ## References
    - https://keras.io/api/models/model_training_apis/#fit-method
    """

    code = "PIPE407"
    name = "endless-fit"
    severity = Severity.ERROR
    fix = "unsafe"
    default = False
    words = ("repeat",)
    examples = (
        Example(
            "an epoch without an end",
            """
            import tensorflow as tf

            ds = tf.data.TFRecordDataset(files).shuffle(10_000).repeat().batch(32)
            model.fit(ds, epochs=10)
            """,
            """
            import tensorflow as tf

            ds = tf.data.TFRecordDataset(files).shuffle(10_000).batch(32)
            model.fit(ds, epochs=10)
            """,
        ),
        Example(
            "a validation without an end",
            """
            import tensorflow as tf

            ds = tf.data.TFRecordDataset(files).batch(32).repeat()
            model.fit(ds, validation_data=ds, steps_per_epoch=1000, epochs=10)
            """,
        ),
        Example(
            "the steps are counted",
            """
            import tensorflow as tf

            ds = tf.data.TFRecordDataset(files).shuffle(10_000).repeat().batch(32)
            model.fit(ds, epochs=10, steps_per_epoch=1000)
            """,
            silent=True,
        ),
        Example(
            "a count, and a part of what repeats",
            """
            import tensorflow as tf

            ds = tf.data.TFRecordDataset(files).batch(32)
            model.fit(ds.repeat(3), validation_data=ds.repeat().take(100), epochs=10)
            """,
            silent=True,
        ),
    )

    def check(self, program: Program) -> Findings:
        for pipeline in program.pipelines:
            repeat = endless_repeat(pipeline.end)
            for user in pipeline.consumers if repeat is not None else ():
                for epoch in epochs_of(program, user):
                    if repeat is not None and _never_ends(program, epoch, repeat):
                        yield self._report(program, pipeline, repeat, epoch)

    def _report(self, program: Program, pipeline: Pipeline, repeat: Stage, epoch: Epoch) -> Finding:
        refused = "" if program.target >= KERAS_3_SINCE else "Keras 2 raises an error, and with Keras 3 "
        return self.finding(
            epoch.place,
            f"`{epoch.call.last_name}` gets a dataset that repeats for ever and no `{epoch.steps}`: {refused}{epoch.what} "
            "never ends; drop the `repeat`, or say how many steps there are",
            fix=_without(program, pipeline, repeat),
            related=(Related(repeat.name, "repeats for ever"),),
        )


def _never_ends(program: Program, epoch: Epoch, repeat: Stage) -> bool:
    """Whether nothing in sight ends an epoch, and whoever gets to it has the `repeat`."""
    call = epoch.call
    return (
        not (epoch.may_be_counted or may_stop_at_a_step(program.near(call.region))) and repeat.undecided <= call.guards
    )


def _without(program: Program, pipeline: Pipeline, repeat: Stage) -> Fix | None:
    """The same without the `repeat`; None where something else takes what it repeats."""
    others = (dataset for dataset in program.datasets if dataset is not pipeline.dataset)
    repeated = (stage.call for dataset in others for one in dataset.all_pipelines for stage in one.stages)
    alone = len(pipeline.consumers) == 1 and repeat.call not in repeated
    return Fix.unsafe("drop the repeat", RemoveStage(repeat)) if alone else None
