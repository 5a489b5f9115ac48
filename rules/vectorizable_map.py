from __future__ import annotations

from pipelint.rule import (
    Evidence,
    Example,
    Finding,
    Findings,
    Pipeline,
    Program,
    Related,
    Rule,
    Severity,
    Stage,
)

from ._in_memory import comes_from_memory
from ._little_data import is_counted
from ._maps_before_batches import alike_in_batches, labels, proven_by_run
from ._passes import is_passed_once
from ._purpose import evaluates


class VectorizableMap(Rule):
    """A cast or a scaling is mapped over single elements that are batched next: on whole batches it costs a fraction.

    ## What it finds
    `map(f).batch(n)` over slices of arrays, where all that `f` does is to cast, scale or compute number by number, and
    nothing else is done to an element before it is batched. `pipelint profile` finds whatever the live function is: it
    compares what that gives for batches and for their elements, and runs both orders in turns.

    ## Why it matters
    To call a mapped function costs some tens of microseconds, however little it computes: more than a cast of a small
    picture does. After `batch` it is called once for a whole batch, on one tensor. TensorFlow 2.21 leaves the order of
    the two as it is written.

    ## When to ignore it
    When a step takes much longer than its batch, as networks with convolutions do. In public code it was found before
    such networks and in lessons on small pictures, and nowhere else: the rule is off by default. Silent where the
    elements are read or decoded, which costs more, where a cache keeps them, for a single pass, for data that is only
    evaluated, for data of which nothing says that there is much, and where the function reshapes, indexes, draws at
    random, or puts two parts of an element together, whose axes would no longer fit.

    ## Fix safety
    No fix: move `batch` before `map`. A function that is given labels as well as pictures does the same to batches of
    both.

    ## References
    - https://www.tensorflow.org/guide/data_performance#vectorizing_mapping
    """

    code = "PIPE104"
    name = "vectorizable-map"
    severity = Severity.ADVICE
    fix = "none"
    default = False
    words = ("map",)
    examples = (
        Example(
            "scaled one by one",
            """
            import tensorflow as tf

            (x, y), _ = tf.keras.datasets.mnist.load_data()

            def scale(image, label):
                return tf.cast(image, tf.float32) / 255.0, label

            ds = tf.data.Dataset.from_tensor_slices((x, y)).shuffle(60_000).map(scale).batch(128)
            model.fit(ds, epochs=10)
            """,
        ),
        Example(
            "whole batches",
            """
            import tensorflow as tf

            (x, y), _ = tf.keras.datasets.mnist.load_data()

            def scale(images, labels):
                return tf.cast(images, tf.float32) / 255.0, labels

            ds = tf.data.Dataset.from_tensor_slices((x, y)).shuffle(60_000).batch(128).map(scale)
            model.fit(ds, epochs=10)
            """,
            silent=True,
        ),
        Example(
            "a flip is drawn for each picture",
            """
            import tensorflow as tf

            (x, y), _ = tf.keras.datasets.cifar10.load_data()
            ds = tf.data.Dataset.from_tensor_slices(x).map(lambda image: tf.image.random_flip_left_right(image) / 255)
            model.fit(ds.batch(128), epochs=10)
            """,
            silent=True,
        ),
    )
    evidence = Evidence(pair="vectorizable-map")

    def check(self, program: Program) -> Findings:
        for pipeline in program.pipelines:
            worth_it = _is_worth_it(program, pipeline)
            for batch in (stage for stage in pipeline.stages if stage.op == "batch"):
                stage = alike_in_batches(batch) if worth_it else None
                if tried := proven_by_run(batch):
                    functions = " and ".join(dict.fromkeys(labels(tried)))
                    message = f"a run has shown that {functions} can be given whole batches: after batch, one call does the work of many"
                    yield self._report(tried[0], batch, message)
                elif stage is not None:
                    (label,) = labels([stage])
                    message = f"{label} computes number by number, and is called for each element: after batch it does the same to a whole batch at once"
                    yield self._report(stage, batch, message)

    def _report(self, stage: Stage, batch: Stage, message: str) -> Finding:
        made = Related(batch.name, "the batches are made here")
        return self.finding(stage, message, related=(made,), trial=stage.tried)


def _is_worth_it(program: Program, pipeline: Pipeline) -> bool:
    """Whether many elements out of memory train a model, more than once."""
    much = comes_from_memory(pipeline) and is_counted(program, pipeline)
    return much and not evaluates([pipeline]) and not is_passed_once(program, pipeline)
