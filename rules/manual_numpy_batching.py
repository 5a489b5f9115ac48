from __future__ import annotations

from pipelint.rule import Evidence, Example, Findings, Program, Region, Rule, Severity

from ._accelerators import accelerator_in_sight
from ._hand_cut_batches import hand_cut_batches


class ManualNumpyBatching(Rule):
    """A loop cuts the batches out of arrays by itself and gives them to training steps one after the other.

    ## What it finds
    A training step in a Python loop that is given `x[i : i + 32]`: `train_on_batch`, or a function of one's own that
    applies gradients; where a strategy, a device, a policy or XLA shows that the program has an accelerator.

    ## Why it matters
    Between two steps Python cuts the next slice, makes a tensor of it and copies it to the device, which waits.
    `tf.data.Dataset.from_tensor_slices((x, y)).batch(32).prefetch(tf.data.AUTOTUNE)` prepares the next batch while the
    device computes, and so does `fit(x, y, batch_size=32)`, which also shuffles the rows in each epoch.

    ## When to ignore it
    When the choice of the rows depends on the step before. On a processor alone nothing was gained when it was
    measured: slices were as fast as a dataset, and `train_on_batch` as fast as `fit`; there the rule says nothing.
    Silent for less than a thousand rows, where several models are trained in turns, where the program plays in an
    environment, where layers keep their state from slice to slice, in tests, and under `tf.device("/CPU:0")`.

    ## Fix safety
    No fix: `fit` reports and shuffles in its own way.

    ## References
    - https://keras.io/api/models/model_training_apis/#fit-method
    """

    code = "PIPE509"
    name = "manual-numpy-batching"
    severity = Severity.ADVICE
    fix = "none"
    examples = (
        Example(
            "slices for train_on_batch",
            """
            from tensorflow import keras

            keras.mixed_precision.set_global_policy("mixed_float16")
            (x, y), _ = keras.datasets.mnist.load_data()
            model = keras.models.load_model("digits.keras")
            for epoch in range(10):
                for i in range(0, len(x), 64):
                    model.train_on_batch(x[i : i + 64], y[i : i + 64])
            """,
        ),
        Example(
            "slices for a step on a GPU",
            """
            import tensorflow as tf

            @tf.function
            def step(x, y):
                with tf.GradientTape() as tape:
                    loss = loss_fn(y, model(x))
                optimizer.apply_gradients(zip(tape.gradient(loss, model.variables), model.variables))

            with tf.device("/GPU:0"):
                for i in range(0, len(x), 64):
                    step(x[i : i + 64], y[i : i + 64])
            """,
        ),
        Example(
            "a dataset has the next batch ready",
            """
            import tensorflow as tf

            tf.keras.mixed_precision.set_global_policy("mixed_float16")
            ds = tf.data.Dataset.from_tensor_slices((x, y)).batch(64).prefetch(tf.data.AUTOTUNE)
            model = tf.keras.models.load_model("digits.keras")
            for rows, labels in ds:
                model.train_on_batch(rows, labels)
            """,
            silent=True,
        ),
        Example(
            "on a processor, where nothing is gained",
            """
            from tensorflow import keras

            model = keras.models.load_model("digits.keras")
            for i in range(0, len(x), 64):
                model.train_on_batch(x[i : i + 64], y[i : i + 64])
            """,
            silent=True,
        ),
    )
    evidence = Evidence(source="https://www.tensorflow.org/guide/data_performance#prefetching")

    def check(self, program: Program) -> Findings:
        told: set[Region] = set()
        for call in hand_cut_batches(program):
            if call.name not in told and accelerator_in_sight(program.near(call.region)):
                told.add(call.name)
                yield self.finding(
                    call.name,
                    "each turn cuts its batch out of arrays and copies it to the device, which waits meanwhile: "
                    "tf.data.Dataset.from_tensor_slices(...).batch(...).prefetch(tf.data.AUTOTUNE), or `fit`, does so ahead",
                )
