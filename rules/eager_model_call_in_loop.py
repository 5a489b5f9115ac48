from __future__ import annotations

from pipelint.rule import Call, Evidence, Example, Findings, Function, LoopOver, Program, Rule, Severity

from ._step_loops import is_compared, training_loops


class EagerModelCallInLoop(Rule):
    """A Keras model that a Python loop calls runs layer by layer, op by op.

    ## What it finds
    `model(x)` in a loop over a dataset or a `range`, outside of `tf.function`.

    ## Why it matters
    `fit`, `evaluate` and `predict` trace the model once and run the graph; a call from Python dispatches every
    operation of every layer by itself, each time.

    ## When to ignore it
    For a few calls, or where the model is so large that its operations hide the dispatch. A loop over a `range` that
    trains nothing may well run once, at the end: advice. Silent in traced code, under a gradient tape (PIPE701 looks at
    those), in loops that run through a dataset or call `fit` in each turn, in loops that run a few times, where a call
    is skipped most of the time (`if step % 100 == 0`), and where the eager call is there for comparison: another branch
    of the same test, or of a timed program, runs a model in a graph.

    ## Fix safety
    No fix: put the loop's body into a function under `@tf.function`, or give the whole dataset to `predict` or
    `evaluate`.

    ## References
    - https://www.tensorflow.org/guide/function
    - https://keras.io/getting_started/faq/#whats-the-difference-between-model-methods-predict-and-call
    """

    code = "PIPE702"
    name = "eager-model-call-in-loop"
    severity = Severity.WARNING
    fix = "none"
    examples = (
        Example(
            "over a dataset",
            """
            import tensorflow as tf

            model = tf.keras.Sequential([tf.keras.layers.Dense(10)])
            ds = tf.data.Dataset.from_tensor_slices(features).batch(64).prefetch(tf.data.AUTOTUNE)
            for batch in ds:
                results.append(model(batch))
            """,
        ),
        Example(
            "over a range",
            """
            from tensorflow import keras

            model = keras.models.load_model("model.keras")
            for start in range(0, len(features), 64):
                outputs = model(features[start:start + 64], training=False)
            """,
        ),
        Example(
            "in a function that is traced",
            """
            import tensorflow as tf

            model = tf.keras.Sequential([tf.keras.layers.Dense(10)])
            ds = tf.data.Dataset.from_tensor_slices(features).batch(64).prefetch(tf.data.AUTOTUNE)

            @tf.function
            def forward(batch):
                return model(batch)

            for batch in ds:
                results.append(forward(batch))
            """,
            silent=True,
        ),
        Example(
            "once an epoch",
            """
            from tensorflow import keras

            generator = keras.models.load_model("generator.keras")
            for epoch in range(100):
                gan.fit(images)
                save_images(generator(seeds))
            """,
            silent=True,
        ),
        Example(
            "a model that is built out of models",
            """
            from tensorflow import keras

            block = keras.Sequential([keras.layers.Dense(8)])

            def build(depth):
                inputs = x = keras.Input((8,))
                for _ in range(depth):
                    x = block(x)
                return keras.Model(inputs, x)
            """,
            silent=True,
        ),
    )
    evidence = Evidence(pair="eager-model-call-in-loop")

    def check(self, program: Program) -> Findings:
        if program.legacy or not program.runs_on_tensorflow:
            return
        builders = {call.function for call in program.calls if _handles_layers(call)}
        training = training_loops(program)
        for call in program.calls:
            if call.symbol != "keras.Model.__call__" or not _runs_often(call) or _builds(call, builders):
                continue
            if is_compared(program, call.loops[-1], _runs_model):
                continue
            over_dataset = call.loops[-1].over is LoopOver.DATASET
            yield self.finding(
                call.region,
                f"the model is called from Python in a loop over {'a dataset' if over_dataset else 'a range'}: every "
                "operation of its layers is dispatched by itself; put the call under @tf.function, or use predict or "
                "evaluate on the whole",
                severity=Severity.WARNING if over_dataset or training.intersection(call.loops) else Severity.ADVICE,
            )


def _runs_often(call: Call) -> bool:
    if call.trace is not None or call.under_tape or not call.loops or call.has_traced_twin:
        return False
    if call.function is not None and call.function.wrapped:
        return False
    loop = call.loops[-1]
    if loop.over not in (LoopOver.DATASET, LoopOver.RANGE) or loop.epochs or loop.few:
        return False
    return not call.guards - loop.guards


def _runs_model(call: Call) -> bool:
    return call.last_name == "__call__" and not call.under_tape


def _handles_layers(call: Call) -> bool:
    return call.symbol.startswith("keras.layers.") or call.last_name == "Input"


def _builds(call: Call, builders: set[Function | None]) -> bool:
    """Whether the call may build a model, on symbolic inputs: its function makes or calls layers as well."""
    return call.function is not None and call.function in builders and call.loops[-1].over is LoopOver.RANGE
