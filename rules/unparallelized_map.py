from __future__ import annotations

from collections.abc import Iterator

from pipelint.model.finding import Finding, Fix, Safety, Severity
from pipelint.model.function import Effect, MappedFunction
from pipelint.model.pipeline import Pipeline, Stage
from pipelint.model.program import Program
from pipelint.model.values import AUTOTUNE, Literal
from pipelint.rule import Evidence, Example, Rule

_REASONS = {
    Effect.RANDOM: "draws random numbers",
    Effect.PYTHON: "runs Python",
    Effect.STATE: "keeps state",
}


class UnparallelizedMap(Rule):
    """`Dataset.map` without `num_parallel_calls` runs one element at a time.

    ## What it finds
    A `map` that does not set `num_parallel_calls`.

    ## Why it matters
    TensorFlow 2.6 and later make a top-level `map` parallel by themselves, but only when its function is stateless. A
    function that draws random numbers, calls Python, looks up a table or uses a layer with weights stays sequential,
    and so does a `map` nested in `interleave` or `flat_map`, or with autotuning or `map_parallelization` off. There the
    finding is a warning; where TensorFlow repairs it by itself, or where the function cannot be resolved, it is advice.

    ## When to ignore it
    When the same random values in the same order matter more than speed: with parallel calls the same seed gives other
    values. Silent with `synchronous=True`, under a parallel `interleave`, with op determinism enabled, and for a
    `py_function` that only runs Python bytecode, which the interpreter lock keeps sequential anyway.

    ## Fix safety
    Safe when the function is proven stateless and nothing sets `deterministic=False`: the elements stay bit-identical.
    Unsafe otherwise.

    ## References
    - https://www.tensorflow.org/guide/data_performance#parallelizing_data_transformation
    """

    code = "PIPE201"
    name = "unparallelized-map"
    severity = Severity.WARNING
    fix = "safe or unsafe"
    examples = (
        Example(
            "a random function",
            """
            import tensorflow as tf

            def augment(image):
                return tf.image.random_flip_left_right(image)

            def train(model, images):
                ds = tf.data.Dataset.from_tensor_slices(images).map(augment).batch(32).prefetch(tf.data.AUTOTUNE)
                model.fit(ds)
            """,
            """
            import tensorflow as tf

            def augment(image):
                return tf.image.random_flip_left_right(image)

            def train(model, images):
                ds = tf.data.Dataset.from_tensor_slices(images).map(augment, num_parallel_calls=tf.data.AUTOTUNE).batch(32).prefetch(tf.data.AUTOTUNE)
                model.fit(ds)
            """,
            severity=Severity.WARNING,
        ),
        Example(
            "a stateless function, which TensorFlow makes parallel by itself",
            """
            import tensorflow as tf

            AUTO = tf.data.AUTOTUNE
            ds = tf.data.TFRecordDataset("train.tfrecord")
            ds = ds.map(
                lambda record: tf.io.decode_raw(record, tf.uint8),
            )
            model.fit(ds.batch(32).prefetch(AUTO))
            """,
            """
            import tensorflow as tf

            AUTO = tf.data.AUTOTUNE
            ds = tf.data.TFRecordDataset("train.tfrecord")
            ds = ds.map(
                lambda record: tf.io.decode_raw(record, tf.uint8),
                num_parallel_calls=AUTO,
            )
            model.fit(ds.batch(32).prefetch(AUTO))
            """,
            severity=Severity.ADVICE,
        ),
        Example(
            "handed out before it is batched: the caller decides",
            """
            import tensorflow as tf

            def records(path):
                return tf.data.TFRecordDataset(path).map(tf.io.parse_tensor)
            """,
            silent=True,
        ),
    )
    evidence = Evidence(measured="a random augmentation, 2 cores, tensorflow-cpu 2.21.0: 1.2 to 1.9 times slower")

    def check(self, program: Program) -> Iterator[Finding]:
        if program.op_determinism:
            return
        for pipeline in program.all_pipelines:
            for stage in pipeline.stages:
                if stage.op == "map" and self._is_sequential(pipeline, stage):
                    yield self._report(pipeline, stage)

    def _is_sequential(self, pipeline: Pipeline, stage: Stage) -> bool:
        synchronous = stage.argument("synchronous")
        if not stage.omits("num_parallel_calls") or (synchronous and synchronous.value == Literal(True)):
            return False
        outer = pipeline.nested_in
        if outer is not None and outer.op == "interleave" and outer.has("num_parallel_calls"):
            return False
        python = stage.function.python if stage.function else None
        return python is None or not python.resolved or bool(python.causes)

    def _report(self, pipeline: Pipeline, stage: Stage) -> Finding:
        severity, reason = self._grade(pipeline, stage)
        stateless = stage.function is not None and stage.function.stateless
        return self.finding(
            stage.name,
            reason,
            severity=pipeline.graded(severity),
            fix=Fix(
                "add num_parallel_calls=tf.data.AUTOTUNE",
                Safety.SAFE if stateless and not pipeline.may_reorder else Safety.UNSAFE,
                stage.set_argument("num_parallel_calls", AUTOTUNE),
            ),
        )

    def _grade(self, pipeline: Pipeline, stage: Stage) -> tuple[Severity, str]:
        function = stage.function
        cause = function.cause(*_REASONS) if function else None
        if cause is not None and function is not None:
            why = f"{_named(function)} {_REASONS[cause.effect]} ({cause.name})"
            return Severity.WARNING, f"{why}, so TensorFlow runs this map one element at a time"
        if pipeline.nested_in is not None:
            where = pipeline.nested_in.op
            return (
                Severity.WARNING,
                f"a map inside {where} is never made parallel by TensorFlow: it runs one element at a time",
            )
        if pipeline.turns_off("autotune.enabled", "experimental_optimization.map_parallelization"):
            return (
                Severity.WARNING,
                "this map runs one element at a time: the options turn map_parallelization or autotune off",
            )
        if pipeline.turns_off("experimental_optimization.apply_default_optimizations"):
            return (
                Severity.WARNING,
                "this map runs one element at a time: the options turn the default optimisations off",
            )
        if function is None or not function.resolved or function.cause(Effect.UNKNOWN):
            return Severity.ADVICE, (
                "this map does not set num_parallel_calls, and what its function does is not known: "
                "if it is stateful, TensorFlow runs it one element at a time"
            )
        return Severity.ADVICE, (
            f"{_named(function)} is stateless, so TensorFlow makes this map parallel by itself; "
            "num_parallel_calls says so in the source"
        )


def _named(function: MappedFunction) -> str:
    return f"`{function.name}`" if function.name else "the mapped function"
