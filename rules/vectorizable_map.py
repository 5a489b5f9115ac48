from __future__ import annotations

from pipelint.rule import (
    FREE,
    PREFETCHES,
    SHUFFLES,
    Evidence,
    Example,
    Findings,
    Program,
    Related,
    Rule,
    Severity,
    Stage,
)

from ._in_memory import comes_from_memory
from ._little_data import is_counted
from ._passes import is_passed_once
from ._purpose import evaluates

_STAYS = FREE | SHUFFLES | PREFETCHES
"""Stages that give the same elements whether a function is applied before them or behind the batch."""


class VectorizableMap(Rule):
    """A cast or a scaling is mapped over single elements that are batched next: on whole batches it costs a fraction.

    ## What it finds
    `map(f).batch(n)` over slices of arrays, where all that `f` does is to cast, scale or compute number by number, and
    nothing else is done to an element before it is batched.

    ## Why it matters
    To call a mapped function costs some tens of microseconds, however little it computes: more than a cast of a small
    picture does. Behind `batch` it is called once for a whole batch, on one tensor. TensorFlow 2.21 leaves the order of
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
            if not comes_from_memory(pipeline) or not is_counted(program, pipeline) or evaluates([pipeline]):
                continue
            for batch in pipeline.stages if not is_passed_once(program, pipeline) else ():
                stage = _map_before(batch) if batch.op == "batch" else None
                if stage is not None and stage.function is not None:
                    yield self.finding(
                        stage,
                        f"{stage.function.label} computes number by number, and is called for each element: behind batch it does the "
                        "same to a whole batch at once",
                        related=(Related(batch.name, "the batches are made here"),),
                    )


def _map_before(batch: Stage) -> Stage | None:
    """The first of the maps before a batch, where these are all that is done to slices of arrays."""
    first = None
    for stage in batch.straight_up():
        if stage.op == "map" and stage.function is not None and (stage.function.elementwise or stage.function.selects):
            first = stage if stage.function.elementwise else first
        elif stage.op not in _STAYS:
            return first if stage.op == "from_tensor_slices" else None
    return None
