from __future__ import annotations

from pipelint.rule import Evidence, Example, Findings, Program, Rule, Severity

from ._fused_recurrence import unfused_layers


class RnnWithoutCudnn(Rule):
    """An LSTM or GRU layer has an argument that keeps it off the fused kernel of cuDNN.

    ## What it finds
    `LSTM` and `GRU` with `recurrent_dropout`, `unroll=True`, `use_bias=False`, another activation than `tanh` or
    another recurrent one than `sigmoid`, and `GRU` with `reset_after=False`, in a program that trains and names a
    graphics card or has more than one of them.

    ## Why it matters
    On a GPU Keras runs the whole sequence in one kernel of cuDNN, if the layer computes what that computes. Else it
    runs several small kernels for each time step, one after the other.

    ## When to ignore it
    When the model needs the argument, and on a processor: there is no such kernel, and a layer with `recurrent_dropout`
    took about as long as one without when it was measured, and other activations and `unroll` less. What it costs on a
    GPU was not measured here, as there was none; Keras documents which arguments matter. Since it depends on the
    machine, the rule is off by default.

    ## Fix safety
    No fix: each of these arguments changes what the layer computes, or how it learns.

    ## References
    - https://keras.io/api/layers/recurrent_layers/lstm/
    - https://keras.io/api/layers/recurrent_layers/gru/
    """

    code = "PIPE807"
    name = "rnn-without-cudnn"
    severity = Severity.WARNING
    fix = "none"
    default = False
    words = ("LSTM", "GRU")
    examples = (
        Example(
            "dropout between time steps",
            """
            import tensorflow as tf

            with tf.distribute.MirroredStrategy().scope():
                model = tf.keras.Sequential([tf.keras.layers.LSTM(128, recurrent_dropout=0.2), tf.keras.layers.Dense(1)])
                model.compile("adam", "mse")
            model.fit(x, y)
            """,
        ),
        Example(
            "another activation",
            """
            from tensorflow import keras

            keras.mixed_precision.set_global_policy("mixed_float16")
            model = keras.Sequential([keras.layers.GRU(128, activation="relu"), keras.layers.Dense(1)])
            model.fit(x, y)
            """,
        ),
        Example(
            "what cuDNN computes",
            """
            import tensorflow as tf

            with tf.distribute.MirroredStrategy().scope():
                model = tf.keras.Sequential([tf.keras.layers.LSTM(128, dropout=0.2, activation="tanh"), tf.keras.layers.Dense(1)])
                model.compile("adam", "mse")
            model.fit(x, y)
            """,
            silent=True,
        ),
        Example(
            "no GPU in sight",
            """
            from tensorflow import keras

            model = keras.Sequential([keras.layers.LSTM(128, recurrent_dropout=0.2), keras.layers.Dense(1)])
            model.fit(x, y)
            """,
            silent=True,
        ),
    )
    evidence = Evidence(source="https://keras.io/api/layers/recurrent_layers/lstm/")

    def check(self, program: Program) -> Findings:
        for layer, reason in unfused_layers(program) if program.runs_on_tensorflow else ():
            yield self.finding(
                layer.name,
                f"with {reason} this {layer.last_name} does not run on the fused kernel of cuDNN, and on a GPU takes several small "
                "kernels for each time step",
            )
