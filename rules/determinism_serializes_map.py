from __future__ import annotations

from pipelint.rule import Cause, Effect, Evidence, Example, Findings, Program, Rule, Severity, Stage

from ._little_data import has_few


class DeterminismSerializesMap(Rule):
    """With op determinism, a map that runs Python or keeps state takes one element at a time, whatever it asks for.

    ## What it finds
    `map(..., num_parallel_calls=...)` in a program that calls `tf.config.experimental.enable_op_determinism()`, where
    the function runs Python (`tf.py_function`), or changes a state, as layers of Keras that draw at random do.

    ## Why it matters
    For the same results in each run, calls of such a function must come in order. TensorFlow 2.21 makes the map
    sequential, without a word. Functions without state keep their parallel calls. Of those that call `tf.random` or
    `tf.image.random_*` it takes the draws out: these come in order, and the rest runs in parallel.

    ## When to ignore it
    When the input is not what training waits for. Silent for maps that ask for no parallel calls, and for few elements.

    The rule is off by default: three of the 12,600 public files that it was tried on enable op determinism, and none of
    them has such a map.

    ## Fix safety
    No fix: draw with `tf.image.stateless_random_*` and a seed for each element, as `tf.data.Dataset.counter()` gives in
    a `zip`, and do in TensorFlow what Python does.

    ## References
    - https://www.tensorflow.org/api_docs/python/tf/config/experimental/enable_op_determinism
    """

    code = "PIPE206"
    name = "determinism-serializes-map"
    severity = Severity.ADVICE
    fix = "none"
    default = False
    words = ("enable_op_determinism",)
    examples = (
        Example(
            "a layer that draws",
            """
            import tensorflow as tf

            tf.config.experimental.enable_op_determinism()
            turn = tf.keras.layers.RandomRotation(0.1)
            ds = tf.data.Dataset.from_tensor_slices(images).map(turn, num_parallel_calls=tf.data.AUTOTUNE)
            model.fit(ds.batch(32), epochs=10)
            """,
        ),
        Example(
            "draws of operations, which TensorFlow takes out",
            """
            import tensorflow as tf

            tf.config.experimental.enable_op_determinism()
            ds = tf.data.Dataset.from_tensor_slices(images)
            ds = ds.map(tf.image.random_flip_left_right, num_parallel_calls=tf.data.AUTOTUNE)
            model.fit(ds.batch(32), epochs=10)
            """,
            silent=True,
        ),
        Example(
            "no determinism is asked for",
            """
            import tensorflow as tf

            turn = tf.keras.layers.RandomRotation(0.1)
            ds = tf.data.Dataset.from_tensor_slices(images).map(turn, num_parallel_calls=tf.data.AUTOTUNE)
            model.fit(ds.batch(32), epochs=10)
            """,
            silent=True,
        ),
    )
    evidence = Evidence(pair="determinism-serializes-map")

    def check(self, program: Program) -> Findings:
        for pipeline in program.pipelines:
            if not program.near(pipeline.end.name).op_determinism or has_few(program, pipeline):
                continue
            for stage in pipeline.stages:
                cause = _kept_in_order(stage)
                if cause is not None and stage.op == "map" and not stage.omits("num_parallel_calls"):
                    yield self.finding(
                        stage,
                        f"op determinism is enabled, and `{cause.name}` keeps a state or runs Python: TensorFlow calls the function for one "
                        "element at a time, whatever num_parallel_calls says",
                    )


def _kept_in_order(stage: Stage) -> Cause | None:
    """What TensorFlow cannot take out of a function to run the rest in parallel."""
    causes = stage.function.causes if stage.function is not None else ()
    for cause in causes:
        draws_with_state = cause.effect is Effect.RANDOM and "layers" in cause.name.split(".")
        if cause.effect in (Effect.PYTHON, Effect.STATE) or draws_with_state:
            return cause
    return None
