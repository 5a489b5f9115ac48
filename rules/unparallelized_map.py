from __future__ import annotations

from pipelint.rule import (
    AUTOTUNE,
    Evidence,
    Example,
    Finding,
    Findings,
    Fix,
    Program,
    Rule,
    Safety,
    SetArgument,
    Severity,
    Stage,
)

from ._modules import defined_elsewhere
from ._sequential_maps import sequential_maps
from ._shared_seeds import changes_images_alike, has_twin_layers, shares_seeds


class UnparallelizedMap(Rule):
    """`Dataset.map` without `num_parallel_calls` runs one element at a time.

    ## What it finds
    A `map` that does not set `num_parallel_calls`.

    ## Why it matters
    TensorFlow 2.6 and later make a top-level `map` parallel by themselves, but only when its function is stateless. A
    function that draws random numbers, calls Python, looks up a table or uses a layer with weights stays sequential,
    and so does a `map` nested in `interleave` or `flat_map`, or with autotuning or `map_parallelization` off. There it
    is a warning where each call is known to cost: it reads, decodes, runs a layer with weights, resizes, turns or
    recolours a picture that is not small, or passes over large rows of arrays. A flip, a crop or noise takes no longer than
    to hand the element to a thread. Advice for looks into tables, which are quick for short texts, and for products of
    matrices, which are quick for small ones, where the elements are listed or evaluated just once, for a function that is out of sight where TensorFlow
    leaves all as they are, and, where it repairs it, for large rows of arrays, for a function that another map applies
    with parallel calls, and for one that costs where the oldest TensorFlow that the project admits does not repair it.

    ## When to ignore it
    When the same seed must give the same random values in the same order: parallel calls give others. Silent
    with `synchronous=True`, under a parallel `interleave`, with op determinism, for a function that only picks parts, a
    `py_function` of which nothing shows that it lets go of the interpreter, what a cache keeps, work on whole batches,
    loops that show or save pictures, functions that the program never gets to, and, as advice, where the options ask for
    it, for loops without a model, and in all other cases that TensorFlow repairs.

    ## Fix safety
    Safe (bit-identical) where the function is proven stateless and nothing sets `deterministic=False`; else unsafe. None,
    and advice, where draws for one element share a seed: parallel calls would pull them apart.

    ## References
    - https://www.tensorflow.org/guide/data_performance#parallelizing_data_transformation
    """

    code = "PIPE201"
    name = "unparallelized-map"
    severity = Severity.WARNING
    fix = "safe or unsafe"
    words = ("map",)
    examples = (
        Example(
            "a layer that turns pictures at random",
            """
            import tensorflow as tf
            ds = tf.data.Dataset.from_tensor_slices(images)
            model.fit(ds.map(tf.keras.layers.RandomRotation(0.1)).batch(32))
            """,
            """
            import tensorflow as tf
            ds = tf.data.Dataset.from_tensor_slices(images)
            model.fit(ds.map(tf.keras.layers.RandomRotation(0.1), num_parallel_calls=tf.data.AUTOTUNE).batch(32))
            """,
            severity=Severity.WARNING,
        ),
        Example(
            "a stateless function, which TensorFlow 2.6 and later make parallel by themselves",
            """
            import tensorflow as tf
            model.fit(tf.data.TFRecordDataset("train").map(tf.io.parse_tensor).batch(32))
            """,
            """
            import tensorflow as tf
            model.fit(tf.data.TFRecordDataset("train").map(tf.io.parse_tensor, num_parallel_calls=tf.data.AUTOTUNE).batch(32))
            """,
            severity=Severity.ADVICE,
            target=(2, 5),
        ),
        Example(
            "one element at a time on purpose",
            """
            import tensorflow as tf
            model.fit(tf.data.Dataset.range(1000).map(tf.random.uniform, synchronous=True).batch(32))
            """,
            silent=True,
        ),
    )
    evidence = Evidence(pair="unparallelized-map", by_itself="unparallelized-map-by-itself")

    def check(self, program: Program) -> Findings:
        for pipeline in program.all_pipelines:
            for stage, severity, reason in sequential_maps(program, pipeline):
                yield self._report(program, stage, pipeline.graded(severity), reason, pipeline.may_reorder)

    def _report(self, program: Program, stage: Stage, severity: Severity, reason: str, may_reorder: bool) -> Finding:
        if shares_seeds(program, stage):
            images = changes_images_alike(program, stage)
            if images or has_twin_layers(program, stage):
                reason = f"{reason}; its draws share a seed, which keeps them alike only so"
            message = f"{reason}: tf.image.stateless_random_* do in any order" if images else reason
            return self.finding(stage, message, severity=Severity.ADVICE, related=defined_elsewhere(program, stage))
        stateless = stage.function is not None and stage.function.stateless
        safety = Safety.SAFE if stateless and not may_reorder else Safety.UNSAFE
        fix = Fix("add num_parallel_calls=AUTOTUNE", safety, SetArgument(stage, "num_parallel_calls", AUTOTUNE))
        return self.finding(stage, reason, severity=severity, fix=fix, related=defined_elsewhere(program, stage))
