from __future__ import annotations

from pipelint.rule import Call, Evidence, Example, Findings, Fix, Literal, Program, ReplaceCall, Rule, Severity

from ._double_models import sets_double, trains_in_double


class Float64Compute(Rule):
    """A model is told to compute in float64.

    ## What it finds
    `keras.backend.set_floatx("float64")`, or a global policy of that name, in a program that trains layers of 512 units
    or more, or trains on an accelerator.

    ## Why it matters
    Each number takes 8 bytes in place of 4, so that half as many fit into a vector register, a cache or the memory of a
    device. Graphics cards for consumers compute in float64 at a thirty-second part of their speed or less. Weights and
    gradients of networks are noisy far above the precision of float32.

    ## When to ignore it
    When the precision is needed, as for the residuals of differential equations, for second derivatives, or to compare
    results with numpy's. Silent where the program takes derivatives with a tape, minimises with scipy, plays in an
    environment, or names `tf.float64` besides; for small layers on a processor, where it made no difference when it was
    measured; for models without a training in sight; and in tests.

    The rule is off by default: the public programs that it was seen in train small networks in games.

    ## Fix safety
    Unsafe: `"float32"` rounds what is computed, and tensors that are made as float64 elsewhere no longer fit.

    ## References
    - https://keras.io/api/utils/config_utils/#setfloatx-function
    - https://docs.nvidia.com/cuda/cuda-c-programming-guide/#arithmetic-instructions
    """

    code = "PIPE811"
    name = "float64-compute"
    severity = Severity.WARNING
    fix = "unsafe"
    default = False
    words = ("float64",)
    examples = (
        Example(
            "all of Keras",
            """
            from tensorflow import keras

            keras.backend.set_floatx("float64")
            model = keras.Sequential([keras.layers.Dense(512, activation="relu"), keras.layers.Dense(1)])
            model.compile("adam", "mse")
            model.fit(x, y, epochs=50)
            """,
            """
            from tensorflow import keras

            keras.backend.set_floatx("float32")
            model = keras.Sequential([keras.layers.Dense(512, activation="relu"), keras.layers.Dense(1)])
            model.compile("adam", "mse")
            model.fit(x, y, epochs=50)
            """,
        ),
        Example(
            "derivatives of a network",
            """
            import tensorflow as tf

            tf.keras.backend.set_floatx("float64")
            model = tf.keras.Sequential([tf.keras.layers.Dense(50, activation="tanh"), tf.keras.layers.Dense(1)])

            def residual(x):
                with tf.GradientTape() as tape:
                    tape.watch(x)
                    u = model(x)
                return tape.gradient(u, x) - u

            model.compile("adam", "mse")
            model.fit(x, y)
            """,
            silent=True,
        ),
        Example(
            "single precision",
            """
            from tensorflow import keras

            keras.backend.set_floatx("float32")
            model = keras.Sequential([keras.layers.Dense(1)])
            model.fit(x, y)
            """,
            silent=True,
        ),
    )
    evidence = Evidence(pair="float64-compute")

    def check(self, program: Program) -> Findings:
        for call in {call.region: call for call in program.calls if sets_double(call)}.values():
            if trains_in_double(program.near(call.region), call):
                yield self.finding(
                    call.name,
                    "models compute in float64 from here on: twice the memory, and several times the time where the device is made "
                    'for float32; leave it at "float32"',
                    fix=_in_single(call),
                )


def _in_single(call: Call) -> Fix:
    return Fix.unsafe('set it to "float32"', ReplaceCall(call, call.symbol, (("", Literal("float32")),)))
