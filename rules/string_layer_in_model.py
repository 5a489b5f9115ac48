from __future__ import annotations

from pipelint.rule import Evidence, Example, Findings, Program, Region, Related, Rule, Severity

from ._accelerators import accelerator_in_sight
from ._string_layers import trained_string_layers


class StringLayerInModel(Rule):
    """A model that trains on an accelerator takes texts and splits or looks them up itself, in each step.

    ## What it finds
    `TextVectorization` or `StringLookup` as a part of a model that `fit` trains, where a strategy, a device, a policy
    or XLA shows that the program has an accelerator.

    ## Why it matters
    These layers run on the processor, whatever the model runs on: each step waits until the texts are split and looked
    up and the numbers are copied to the device, and XLA cannot compile the model (Keras turns it off). In a `map` of
    the dataset the same layer works on the next batch while the device computes, and a cache after it does the work
    only once.

    ## When to ignore it
    On a processor alone nothing was gained when it was measured, as both share its cores: there the rule says nothing.
    Silent for a model that is only evaluated, exported or asked for predictions: there the layer belongs.

    The rule is off by default, since it finds nothing in the 14,000 public files that it was tried on.

    ## Fix safety
    No fix: map the layer over the dataset, train a model that takes numbers, and put the layer before that in a second
    one to export.

    ## References
    - https://keras.io/guides/preprocessing_layers/
    """

    code = "PIPE808"
    name = "string-layer-in-model"
    severity = Severity.ADVICE
    fix = "none"
    default = False
    words = ("TextVectorization", "StringLookup")
    examples = (
        Example(
            "the first layer of a model",
            """
            import tensorflow as tf
            from tensorflow.keras import layers

            with tf.distribute.MirroredStrategy().scope():
                vectorize = layers.TextVectorization(max_tokens=20_000)
                model = tf.keras.Sequential([tf.keras.Input((), dtype=tf.string), vectorize, layers.Embedding(20_000, 64)])
                model.compile("adam", "binary_crossentropy")
            model.fit(reviews)
            """,
        ),
        Example(
            "of a functional one",
            """
            import tensorflow as tf
            from tensorflow import keras

            keras.mixed_precision.set_global_policy("mixed_float16")
            words = keras.Input((1,), dtype="string")
            found = keras.layers.StringLookup(vocabulary=known)(words)
            model = keras.Model(words, keras.layers.Embedding(1000, 16)(found))
            model.fit(table)
            """,
        ),
        Example(
            "mapped over the dataset",
            """
            import tensorflow as tf
            from tensorflow.keras import layers

            with tf.distribute.MirroredStrategy().scope():
                vectorize = layers.TextVectorization(max_tokens=20_000)
                model = tf.keras.Sequential([layers.Embedding(20_000, 64), layers.Dense(1)])
                model.compile("adam", "binary_crossentropy")
            model.fit(reviews.map(lambda text, label: (vectorize(text), label)))
            """,
            silent=True,
        ),
        Example(
            "a second model, to export",
            """
            import tensorflow as tf
            from tensorflow.keras import layers

            with tf.distribute.MirroredStrategy().scope():
                model = tf.keras.Sequential([layers.Embedding(20_000, 64), layers.Dense(1)])
            model.fit(numbers)
            whole = tf.keras.Sequential([tf.keras.Input((), dtype=tf.string), layers.TextVectorization(), model])
            whole.evaluate(texts)
            """,
            silent=True,
        ),
    )
    evidence = Evidence(source="https://keras.io/guides/preprocessing_layers/")

    def check(self, program: Program) -> Findings:
        told: set[Region] = set()
        for layer, fit in trained_string_layers(program) if program.runs_on_tensorflow else ():
            if layer.name not in told and accelerator_in_sight(program.near(fit.region)):
                told.add(layer.name)
                yield self.finding(
                    layer.name,
                    "the model is trained on texts, which the processor splits or looks up while the device waits in each step: map "
                    "the layer over the dataset, and train on numbers",
                    related=(Related(fit.name, "the model is trained here"),),
                )
