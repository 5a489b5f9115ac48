from __future__ import annotations

from pipelint.rule import Evidence, Example, Findings, Pipeline, Program, Related, Rule, Severity, Stage

from ._batching import stages_on_batches
from ._caching import is_cached_later
from ._in_memory import comes_from_memory
from ._light_elements import does_little
from ._little_data import is_counted

_MANY = 3
"""Maps in a row from which to hand elements on is most of the work of functions that do little."""


class ChainedCheapMaps(Rule):
    """Three maps or more in a row each do next to nothing to an element.

    ## What it finds
    Three `map` in a row, before `batch`, over slices of arrays of a thousand rows and more, whose functions only cast,
    reshape, pick or compute number by number.

    ## Why it matters
    To call a function and to hand an element from one stage to the next costs some tens of microseconds, more than such
    a function computes. One function that does all three pays once. TensorFlow 2.21 has a rewrite that fuses maps,
    which is off by default.

    ## When to ignore it
    When a step takes much longer than its batch. That is so for most models, and separate functions read better; on two
    busy cores no gain could be shown. The rule is off by default, and none of the 12,600 public files that it was tried
    on has it. Silent where any of the functions reads, decodes, draws at random or is not known, on whole batches, and
    before a cache.

    ## Fix safety
    No fix: write one function that calls the others, and map it, after `batch` where that gives the same.

    ## References
    - https://www.tensorflow.org/guide/data_performance#vectorizing_mapping
    """

    code = "PIPE107"
    name = "chained-cheap-maps"
    severity = Severity.ADVICE
    fix = "none"
    default = False
    words = ("map",)
    examples = (
        Example(
            "three steps of a cast",
            """
            import tensorflow as tf

            (x, y), _ = tf.keras.datasets.mnist.load_data()
            ds = tf.data.Dataset.from_tensor_slices(x).map(lambda image: tf.cast(image, tf.float32))
            ds = ds.map(lambda image: image / 255).map(lambda image: tf.reshape(image, (784,)))
            model.fit(ds.batch(128), epochs=10)
            """,
        ),
        Example(
            "one function",
            """
            import tensorflow as tf

            (x, y), _ = tf.keras.datasets.mnist.load_data()
            ds = tf.data.Dataset.from_tensor_slices(x)
            ds = ds.map(lambda image: tf.reshape(tf.cast(image, tf.float32) / 255, (784,)))
            model.fit(ds.batch(128), epochs=10)
            """,
            silent=True,
        ),
        Example(
            "functions that work",
            """
            import tensorflow as tf

            ds = tf.data.TFRecordDataset(files).map(tf.io.decode_jpeg).map(lambda image: image / 255).map(augment)
            model.fit(ds.batch(128), epochs=10)
            """,
            silent=True,
        ),
    )
    evidence = Evidence(pair="chained-cheap-maps")

    def check(self, program: Program) -> Findings:
        for pipeline in program.pipelines:
            if not comes_from_memory(pipeline) or not is_counted(program, pipeline):
                continue
            for stage in pipeline.stages:
                row = _row_behind(stage)
                if len(row) >= _MANY and all(_is_cheap(program, pipeline, one) for one in row):
                    yield self.finding(
                        stage,
                        f"{len(row)} maps in a row each do next to nothing to an element: one function that does all of it pays for "
                        "one call",
                        related=tuple(Related(one.name, "and this one") for one in row[1:]),
                    )


def _row_behind(first: Stage) -> list[Stage]:
    """A map with those right behind it, where no other stands right before it."""
    if first.op != "map" or any(stage.op == "map" for stage in first.inputs):
        return []
    row = [first]
    for stage in first.downstream():
        if stage.op != "map":
            break
        row.append(stage)
    return row


def _is_cheap(program: Program, pipeline: Pipeline, stage: Stage) -> bool:
    function = stage.function
    if function is None or not stage.stateless or stage in stages_on_batches(pipeline) or is_cached_later(stage):
        return False
    return function.elementwise or function.selects or does_little(program, stage)
