from __future__ import annotations

from pipelint.rule import (
    Argument,
    CallMethod,
    Evidence,
    Example,
    Findings,
    Fix,
    Literal,
    Program,
    Region,
    Related,
    Rule,
    Severity,
    Together,
)

from ._accelerators import accelerator_in_sight
from ._double_inputs import beside, double_elements, double_slices


class Float64Input(Rule):
    """Arrays of float64 are fed to a model that computes in float32.

    ## What it finds
    An array of float64 that `from_tensor_slices` makes a training pipeline of, with no map after it that could cast it;
    and, where the program has an accelerator, slices of one that a loop gives to training steps. numpy makes float64 by
    default: `np.zeros`, `np.random.rand`, and also `x_train / 255.0` of pictures in uint8.

    ## Why it matters
    A float64 takes 8 bytes, and the model casts each batch to float32 before it computes. Until then twice as much is
    held in memory, copied into batches, and sent to the device.

    ## When to ignore it
    When the model computes in float64: silent where the program names `tf.float64` or sets `floatx`. `fit` with arrays
    is no matter: Keras converts them once, and it made no difference when it was measured; nor did it for slices on a
    processor alone. Silent for less than 100,000 numbers or 1,000 rows, for labels in one axis, and for made-up data
    whose time nobody takes.

    ## Fix safety
    Unsafe: `astype("float32")` rounds the numbers, which the model would do later. It casts the arrays that the same
    file is evaluated with, too. None where the array is the result of arithmetic right there.

    ## References
    - https://keras.io/api/layers/base_layer/
    - https://numpy.org/doc/stable/reference/generated/numpy.zeros.html
    """

    code = "PIPE506"
    name = "float64-input"
    severity = Severity.ADVICE
    fix = "unsafe"
    words = ("numpy", "keras.datasets")
    examples = (
        Example(
            "pictures that were divided",
            """
            import tensorflow as tf

            (x_train, y_train), (x_test, y_test) = tf.keras.datasets.mnist.load_data()
            x_train, x_test = x_train / 255.0, x_test / 255.0
            ds = tf.data.Dataset.from_tensor_slices((x_train, y_train)).shuffle(60_000).batch(64)
            test = tf.data.Dataset.from_tensor_slices((x_test, y_test)).batch(64)
            model.fit(ds, epochs=5, validation_data=test)
            """,
            """
            import tensorflow as tf

            (x_train, y_train), (x_test, y_test) = tf.keras.datasets.mnist.load_data()
            x_train, x_test = x_train / 255.0, x_test / 255.0
            ds = tf.data.Dataset.from_tensor_slices((x_train.astype("float32"), y_train)).shuffle(60_000).batch(64)
            test = tf.data.Dataset.from_tensor_slices((x_test.astype("float32"), y_test)).batch(64)
            model.fit(ds, epochs=5, validation_data=test)
            """,
        ),
        Example(
            "cast before they are divided",
            """
            import tensorflow as tf

            (x_train, y_train), _ = tf.keras.datasets.mnist.load_data()
            x_train = x_train.astype("float32") / 255.0
            ds = tf.data.Dataset.from_tensor_slices((x_train, y_train)).shuffle(60_000).batch(64)
            model.fit(ds, epochs=5)
            """,
            silent=True,
        ),
        Example(
            "Keras converts the arrays of fit once",
            """
            from tensorflow import keras

            (x_train, y_train), _ = keras.datasets.mnist.load_data()
            model = keras.models.load_model("digits.keras")
            model.fit(x_train / 255.0, y_train, epochs=5)
            """,
            silent=True,
        ),
    )
    evidence = Evidence(pair="float64-input")

    def check(self, program: Program) -> Findings:
        told: set[object] = set()
        for array in double_elements(program):
            if array.region not in told:
                together = [array, *beside(program, array)]
                told.update(other.region for other in together)
                casts = [CallMethod(other.region, "astype", Literal("float32")) for other in together]
                yield self.finding(
                    array.region,
                    self._message(program, array),
                    fix=Fix.unsafe("cast to float32", Together(tuple(casts))),
                    related=tuple(Related(other.region, "float64 as well") for other in together[1:]),
                )
        for call, array in double_slices(program):
            if call.name not in told and accelerator_in_sight(program.near(call.region)):
                told.add(call.name)
                yield self.finding(array.region, self._message(program, array))

    def _message(self, program: Program, array: Argument) -> str:
        written = program.written(Region.of(array.region))
        name = f"`{written}`" if written.isidentifier() else "this array"
        return (
            f"{name} is float64, which the model casts to float32 batch by batch: twice as much is held, batched and sent to "
            'the device; convert it once, with astype("float32")'
        )
