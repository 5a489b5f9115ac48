from __future__ import annotations

from pipelint.rule import (
    GONE_NAMES,
    IMAGE_GENERATOR,
    Call,
    Example,
    Finding,
    Findings,
    Location,
    Module,
    Program,
    Reference,
    Related,
    Rule,
    Severity,
    display,
)

from ._imports_of_keras_2 import about_import, failing_import, gone_names
from ._keras_3 import KERAS_3, runs_on_keras_3
from ._removed_keras import WORDS, Removed, about_generator, from_top_to_bottom, removed_by, renaming


class RemovedKerasApi(Rule):
    """A method or an argument that Keras 3 no longer has.

    ## What it finds
    `fit_generator`, `evaluate_generator`, `predict_generator`, `predict_classes`, `predict_proba` and `reset_states` of
    a model; `workers`, `use_multiprocessing` and `max_queue_size` of `fit`, `evaluate` and `predict`; `reset_states` of a
    metric; `lr`, `decay`, `epsilon=None`, `minimize`, `get_weights` and `get_gradients` of an optimizer;
    `validation_split` where `fit` takes a dataset; `strategy.experimental_run_v2`; `make_one_shot_iterator`;
    `experimental_compile` and `experimental_relax_shapes` of `tf.function`; `tf.keras.layers.experimental`,
    `tf.keras.experimental`, `tf.keras.optimizers.experimental`, enqueuers; and `ImageDataGenerator`. Each is told once a
    file; where the file imports a module of Keras 2, that import is told with all else, as it fails first.

    ## Why it matters
    TensorFlow 2.16 and later come with Keras 3, where these raise an error. Optimizers of TensorFlow 2.11 to 2.15 only
    log that `lr` is deprecated, and train with their default: told where the project shows that it runs on these, as
    advice where it is that default. Those
    of Keras 3 warn that they ignore `decay`, and train with a rate that stays as it is: a warning. The
    arguments of `tf.function` only log that they are deprecated: advice. So is what is gone where another module of the
    program fails to import one of Keras 2. `ImageDataGenerator` is still there for `tf.keras`, but nothing can give it
    threads or processes any more: advice, where the user or a requirement asks for TensorFlow 2.16 or later.

    ## When to ignore it
    When the code only ever runs on an older TensorFlow: pin that (`tensorflow<2.16`). Silent where a requirement admits
    or README.md or a Dockerfile names an older one, where `requires-python` has only Pythons of older ones, in a
    notebook that installs or was last run with one (not in Colab, which has the newest), with `tf_keras`,
    `TF_USE_LEGACY_KERAS` or a package for Keras 2 (`tensorflow_addons`, ...), where the metric `accuracy` is read as
    `history["acc"]`, in programs for TensorFlow 1, under a test of the version or the name, and for models of `deepchem`.

    ## Fix safety
    Safe for what has another name now: `experimental_run_v2`, `lr`, `reset_states` of a metric and the arguments of
    `tf.function`; none for others.

    ## References
    - https://keras.io/guides/migrating_to_keras_3/
    - https://keras.io/api/utils/python_utils/#pydataset-class
    - https://www.tensorflow.org/api_docs/python/tf/keras/preprocessing/image/ImageDataGenerator
    """

    code = "PIPE904"
    name = "removed-keras-api"
    severity = Severity.ERROR
    fix = "safe"
    words = WORDS
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
            target=(2, 16),
        ),
        Example(
            "a TensorFlow that has it",
            "from tensorflow import keras\nkeras.models.load_model('model.h5').fit(batches(), workers=4)\n",
            silent=True,
            target=(2, 15),
        ),
    )

    def check(self, program: Program) -> Findings:
        found: dict[tuple[Module, Reference | str], dict[Location, Removed]] = {}
        generators: dict[Module, list[Call]] = {}
        for call in program.calls:
            here = program.module_at(call.region)
            for removed in removed_by(program, call):
                failing = failing_import(program, here) if removed.raises else None
                found.setdefault((here, failing or removed.message), {})[removed.place] = removed
            if call.symbol == IMAGE_GENERATOR and program.is_asked_for and runs_on_keras_3(program, call):
                generators.setdefault(here, []).append(call)
        for (here, told), placed in found.items():
            uses = from_top_to_bottom(placed)
            if isinstance(told, str):
                yield self._removed(*uses)
            else:
                yield self._written_for_2(told, program.module_at(told.region) is here, *uses)
        for (_, name), (use, *more) in gone_names(program).items():
            message = f"{KERAS_3} has no {display(name)}: {GONE_NAMES[name]}"
            yield self.finding(use.region, message, related=tuple(Related(one.region, "here, too") for one in more))
        for first, *others in generators.values():
            places = {other.region: other.name for other in others if other.region != first.region}
            related = tuple(Related(place, "another one") for place in places.values())
            yield self.finding(first.name, about_generator(program, first), severity=Severity.ADVICE, related=related)

    def _written_for_2(self, imported: Reference, is_own: bool, first: Removed, *others: Removed) -> Finding:
        if is_own:
            notes = tuple(Related(use.place, use.message) for use in (first, *others))
            return self.finding(imported.region, about_import(imported), related=notes)
        message = f"{first.message}; what runs with it imports {imported.name}, which is gone, too"
        notes = (Related(imported.region, "this import fails"), *(Related(use.place, use.message) for use in others))
        return self.finding(first.place, message, severity=Severity.ADVICE, related=notes)

    def _removed(self, first: Removed, *others: Removed) -> Finding:
        fix, related = renaming([first, *others]), tuple(Related(use.place, "here, too") for use in others)
        return self.finding(first.place, first.message, severity=first.severity, fix=fix, related=related)
