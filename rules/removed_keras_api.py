from __future__ import annotations

from pipelint.rule import (
    GENERATES_FROM_FILES,
    IMAGE_GENERATOR,
    LEARNING_RATE,
    REMOVED_METHODS,
    RENAMED_METHODS,
    WORKER_ARGUMENTS,
    Call,
    Example,
    Finding,
    Findings,
    Fix,
    Location,
    Module,
    Program,
    Related,
    RenameAttributes,
    Rule,
    Severity,
)

from ._keras_3 import KERAS_3, runs_on_keras_3
from ._removed_keras import Removed, removed_by


class RemovedKerasApi(Rule):
    """A method or an argument that Keras 3 no longer has.

    ## What it finds
    `fit_generator`, `evaluate_generator`, `predict_generator`, `predict_classes` and `predict_proba`; `workers`,
    `use_multiprocessing` and `max_queue_size` of `fit`, `evaluate` and `predict`; `lr` of an optimizer;
    `validation_split` where `fit` takes a dataset; `strategy.experimental_run_v2`; and `ImageDataGenerator`. Each is told
    once a file.

    ## Why it matters
    TensorFlow 2.16 and later come with Keras 3, where these raise an error. `ImageDataGenerator` is deprecated and still
    there for `tf.keras`, but nothing can give it threads or processes any more: it reads, decodes and augments one
    picture after the other in Python. That is advice.

    ## When to ignore it
    When the code only ever runs on an older TensorFlow: pin that (`tensorflow<2.16`). Silent where a requirement admits
    or README.md speaks of an older one, with `tf_keras`, `TF_USE_LEGACY_KERAS` or `tensorflow_addons`, for programs of
    which a part is written for TensorFlow 1, and under a test of the version or of the name.

    ## Fix safety
    Safe for `experimental_run_v2`, which `run` replaced under another name; none for others.

    ## References
    - https://keras.io/guides/migrating_to_keras_3/
    - https://keras.io/api/utils/python_utils/#pydataset-class
    - https://www.tensorflow.org/api_docs/python/tf/keras/preprocessing/image/ImageDataGenerator
    """

    code = "PIPE904"
    name = "removed-keras-api"
    severity = Severity.ERROR
    fix = "safe"
    words = (
        *REMOVED_METHODS,
        *RENAMED_METHODS,
        *WORKER_ARGUMENTS,
        LEARNING_RATE,
        "validation_split",
        "ImageDataGenerator",
    )
    examples = (
        Example(
            "a method that is gone",
            """
            from tensorflow import keras
            model = keras.models.load_model("model.keras")
            model.fit_generator(batches(), steps_per_epoch=100, workers=4)
            """,
            severity=Severity.ERROR,
        ),
        Example(
            "a method that has another name",
            """
            import tensorflow as tf
            strategy = tf.distribute.MirroredStrategy()
            losses = strategy.experimental_run_v2(step, args=(batch,))
            """,
            """
            import tensorflow as tf
            strategy = tf.distribute.MirroredStrategy()
            losses = strategy.run(step, args=(batch,))
            """,
        ),
        Example(
            "pictures in one thread of Python",
            """
            from tensorflow.keras.preprocessing.image import ImageDataGenerator
            pictures = ImageDataGenerator(rescale=1 / 255).flow_from_directory("pictures")
            """,
            severity=Severity.ADVICE,
        ),
        Example(
            "a TensorFlow that has it",
            """
            from tensorflow import keras
            model = keras.models.load_model("model.h5")
            model.fit(batches(), steps_per_epoch=100, workers=4)
            """,
            silent=True,
            target=(2, 15),
        ),
    )

    def check(self, program: Program) -> Findings:
        found: dict[tuple[Module, str], dict[Location, Removed]] = {}
        generators: dict[Module, list[Call]] = {}
        for call in program.calls:
            here = program.module_at(call.region)
            removed = removed_by(program, call)
            if removed is not None and runs_on_keras_3(program, call):
                found.setdefault((here, removed.message), {})[removed.place] = removed
            if call.symbol == IMAGE_GENERATOR and runs_on_keras_3(program, call):
                generators.setdefault(here, []).append(call)
        for (_, message), uses in found.items():
            first, *others = uses
            renamed = tuple(use.renamed for use in uses.values() if use.renamed)
            new = RENAMED_METHODS[renamed[0].name] if renamed else ""
            fix = Fix.safe(f"rename it to {new}", RenameAttributes(renamed, new)) if renamed else None
            yield self.finding(first, message, fix=fix, related=tuple(Related(other, "here, too") for other in others))
        for calls in generators.values():
            yield self._generator(program, *calls)

    def _generator(self, program: Program, first: Call, *others: Call) -> Finding:
        here = program.module_at(first.region)
        beside = (call for call in program.calls if program.module_at(call.region) is here)
        reads = any(call.last_name in GENERATES_FROM_FILES for call in beside)
        places = {other.region: other.name for other in others if other.region != first.region}
        does = "reads, decodes and augments" if reads else "augments"
        return self.finding(
            first.name,
            f"ImageDataGenerator is deprecated, and {does} in one thread of Python, to which {KERAS_3} gives no workers; "
            f"{'image_dataset_from_directory' if reads else 'a tf.data.Dataset'} with Keras layers mapped over it runs in "
            "parallel",
            severity=Severity.ADVICE,
            related=tuple(Related(place, "another one") for place in places.values()),
        )
