from __future__ import annotations

from pipelint.rule import Call, Evidence, Example, Findings, LoopOver, Program, Region, Related, Rule, Severity

from ._eager_model_calls import calls_for_graphs, fits_predict
from ._padded_batches import where_shapes_differ

_WHOLE = ", or use predict or evaluate on the whole"
_LOOPS = {
    LoopOver.DATASET: "a loop over a dataset",
    LoopOver.RANGE: "a loop over a range",
    LoopOver.WHILE: "a while loop",
    LoopOver.OTHER: "a loop with a progress bar",
}


class EagerModelCallInLoop(Rule):
    """A Keras model that a Python loop calls runs layer by layer, op by op.

    ## What it finds
    `model(x)` outside of `tf.function`, in a `while` loop, one over a dataset or a `range`, or one with a progress bar in
    another. A model is what Keras makes, a gradient tape trains the weights of, or is called with `training=`.

    ## Why it matters
    `fit`, `evaluate` and `predict` trace the model once; a call from Python dispatches every operation of it each time.

    ## When to ignore it
    For a few calls, or where the model is so large that this hides the dispatch. Silent for 500 calls; in a loop that
    neither trains nor runs over a dataset, unless more are written and nothing ends it; likewise for a sample drawn
    once an epoch or every so many steps, beside training steps that run op by op or files that each turn loads or
    saves, for one pass that ends after 1000 elements or is for testing, and for batches that hold all data, or 10,000
    examples. Silent in traced code, where a test chooses between that and a graph, where a comment or
    `run_functions_eagerly(True)` turns `@tf.function` off, or a block pins the loop to the processor, in training steps
    (PIPE701 looks at those), where a lesson changes weights by hand, for models of PyTorch and TensorFlow Hub, that are
    tf.functions, hand on to one or have layers that are, or have none with weights, for one pass of a program that
    trains in many, where the call is all that is timed, in loops that run a few times, go through a dataset, play a
    game or call `fit` in each turn, wait or draw, where a call is skipped mostly (`if step % 100 == 0`), where the
    input's shape differs in each turn, where what it gives is plotted, and where another timed program has a graph.

    ## Fix safety
    No fix: put the loop's body into a function under `@tf.function`, or give all to `predict` or `evaluate`.

    ## References
    - https://www.tensorflow.org/guide/function
    - https://keras.io/getting_started/faq/#whats-the-difference-between-model-methods-predict-and-call
    """

    code = "PIPE702"
    name = "eager-model-call-in-loop"
    severity = Severity.ADVICE
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
            for start in range(0, 60_000, 64):
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
    )
    evidence = Evidence(pair="eager-model-call-in-loop")

    def check(self, program: Program) -> Findings:
        if not program.runs_on_tensorflow:
            return
        for call, *others in calls_for_graphs(program):
            # In other loops the next input may depend on what the model said last.
            over = call.loops[-1].over
            whole = over is LoopOver.DATASET and not others and fits_predict(call)
            put = "the tape with what is under it" if call.under_tape else "the call"
            differ = where_shapes_differ(program, call.loops[-1])
            how = "@tf.function" + (f" (reduce_retracing=True where {differ})" if differ else "")
            yield self.finding(
                call.region,
                f"{_name_of(program, call)} is called from Python in {_LOOPS[over]}: every operation of its layers is "
                f"dispatched by itself; put {put} under {how}{_WHOLE if whole else ''}",
                related=tuple(
                    Related(other.region, f"{_name_of(program, other)} is called in {_where(call, other)}")
                    for other in others
                ),
            )


def _where(call: Call, other: Call) -> str:
    return "the same loop" if other.loops[-1] is call.loops[-1] else "the loop around it"


def _name_of(program: Program, call: Call) -> str:
    """How a message speaks of the model that is called: by its variable, where it has one."""
    written = program.written(Region(call.region.start, call.name.end)).removesuffix(".__call__").removesuffix(".call")
    return f"`{written}`" if written.replace(".", "").isidentifier() else "the model"
