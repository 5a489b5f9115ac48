from __future__ import annotations

from pipelint.rule import (
    Cause,
    ConsumerKind,
    Example,
    Finding,
    Findings,
    Location,
    Pipeline,
    Program,
    Related,
    Rule,
    Severity,
    Stage,
)

from ._augmentations import augmentation
from ._evaluated_data import is_only_evaluated, is_trained_on, serves_training


class AugmentedEvaluation(Rule):
    """A random augmentation is mapped over a dataset that a model is only evaluated with.

    ## What it finds
    A `map` whose function flips, turns or recolours at random (`tf.image.random_*`, Keras `Random*` layers, a flip
    or an adjustment that depends on a draw), over a dataset that only `validation_data`, `evaluate` or a loop that evaluates
    takes: one that fills metrics, or compares what the model gives with `training=False`, and applies no gradients.

    ## Why it matters
    Each evaluation sees other examples, harder than the real ones: the figures jump from epoch to epoch, early stopping and the
    choice of a checkpoint follow luck. Mostly one function is mapped over training and validation data alike, or the data
    is split after the augmentation. TensorFlow does what is written, in every version: a layer that is called in a `map`
    augments unless it is given `training=False`.

    ## When to ignore it
    When robustness against such changes is what is measured. Silent for predictions that nothing compares, which may be
    test-time augmentation; for random crops, which also bring examples to one size, and noise, which may be part of the
    task; for two views of each example, which contrastive losses compare; under a flag that nothing in sight decides, or
    in one of several objects that may build the data; before a `cache`, which keeps what was drawn first; and for data
    that is also trained on.

    ## References
    - https://www.tensorflow.org/tutorials/images/data_augmentation
    - https://keras.io/api/layers/preprocessing_layers/image_augmentation/
    """

    code = "PIPE408"
    name = "augmented-evaluation"
    severity = Severity.WARNING
    fix = "none"
    words = ("map",)
    examples = (
        Example(
            "one function for training and validation",
            """
            import tensorflow as tf

            def load(path):
                image = tf.io.decode_jpeg(tf.io.read_file(path))
                return tf.image.random_flip_left_right(tf.image.resize(image, (224, 224)))

            train = tf.data.Dataset.from_tensor_slices(train_paths).map(load).batch(32)
            val = tf.data.Dataset.from_tensor_slices(val_paths).map(load).batch(32)
            model.fit(train, validation_data=val, epochs=10)
            """,
        ),
        Example(
            "split after the augmentation",
            """
            import tensorflow as tf

            flip = tf.keras.layers.RandomFlip("horizontal")
            ds = tf.data.TFRecordDataset(files).map(parse).map(lambda x, y: (flip(x), y))
            model.fit(ds.skip(1000).batch(32), validation_data=ds.take(1000).batch(32), epochs=10)
            """,
        ),
        Example(
            "a flag keeps validation data as it is",
            """
            import tensorflow as tf

            def dataset(files, training):
                def load(record):
                    image = parse(record)
                    return tf.image.random_brightness(image, 0.2) if training else image

                return tf.data.TFRecordDataset(files).map(load).batch(32)

            model.fit(dataset(train_files, True), validation_data=dataset(val_files, False), epochs=10)
            """,
            silent=True,
        ),
        Example(
            "test-time augmentation",
            """
            import tensorflow as tf

            ds = tf.data.TFRecordDataset(files).map(parse).map(tf.image.random_flip_left_right).batch(32)
            predictions = sum(model.predict(ds) for _ in range(8)) / 8
            """,
            silent=True,
        ),
    )

    def check(self, program: Program) -> Findings:
        # What evaluates one dataset in several places is mended where that is made.
        together: dict[tuple[Location, object], tuple[Stage, Cause, dict[Location, None]]] = {}
        for pipeline in program.pipelines:
            for stage in pipeline.stages if is_only_evaluated(pipeline) else ():
                cause = augmentation(pipeline, stage)
                if cause is not None and not is_trained_on(program, stage):
                    _, _, places = together.setdefault((stage.call, stage.gives), (stage, cause, {}))
                    places |= dict.fromkeys(_places(program, pipeline, stage))
        yield from (self._report(list(places), stage, cause) for stage, cause, places in together.values() if places)

    def _report(self, places: list[Location], stage: Stage, cause: Cause) -> Finding:
        place, *others = places
        label = stage.function.label if stage.function is not None else "the mapped function"
        # What is given its seed with each example may draw the same for it in every evaluation.
        seeded = cause.name.rpartition(".")[2].startswith("stateless_")
        harm = "are not those of the real examples" if seeded else "change from one evaluation to the next"
        return self.finding(
            place,
            f"{label} augments at random ({cause.name}) what is only evaluated with: the figures {harm}; map it over "
            "the training data alone",
            related=(
                Related(cause.location, "changes each example at random"),
                *([Related(stage.name, "mapped here")] if place != stage.name else []),
                *(Related(other, "evaluated here too") for other in others),
            ),
            stage=stage,
        )


def _places(program: Program, pipeline: Pipeline, stage: Stage) -> tuple[Location, ...]:
    """Where to act: at the map, or where training maps the same, at what evaluates."""
    if not serves_training(program, stage):
        return (stage.name,)
    return tuple(user.region for user in pipeline.consumers if user.kind is not ConsumerKind.PREDICT)
