from __future__ import annotations

import re
from collections.abc import Iterator

from pipelint.rule import (
    Call,
    Evidence,
    Example,
    Findings,
    Literal,
    Pipeline,
    Program,
    Region,
    Related,
    Rule,
    Severity,
    Stage,
)

from ._little_data import has_few
from ._passes import fit_at

_OPEN = re.compile(r"\bNone\b")


class DynamicShapeUnderXla(Rule):
    """A model that XLA compiles is given batches that differ in length, and is compiled anew for each.

    ## What it finds
    `compile(jit_compile=True)`, and `fit` of that model on a `padded_batch` that pads to the longest example of each
    batch: without `padded_shapes`, or with None in them.

    ## Why it matters
    XLA compiles a program for one shape. A batch of a new length is compiled for again, which takes from some tenths of
    a second for a small model to minutes for a large one; what was compiled before stays in memory. Padded to one
    length, or to a few, it is compiled once for each of these.

    ## When to ignore it
    When there are only a few lengths in all. Silent where all shapes are written as numbers, where the elements are
    few, and for `bucket_by_sequence_length`, which has a few lengths where it pads to its boundaries.

    The rule is off by default, since none of the public files with `jit_compile=True` that it was tried on has it.

    ## Fix safety
    No fix: give `padded_shapes` a length, `bucket_by_sequence_length(..., pad_to_bucket_boundary=True)` some of them,
    or leave XLA out with `jit_compile=False`.

    ## References
    - https://openxla.org/xla/tf2xla
    """

    code = "PIPE707"
    name = "dynamic-shape-under-xla"
    severity = Severity.WARNING
    fix = "none"
    default = False
    words = ("jit_compile",)
    examples = (
        Example(
            "sentences of any length",
            """
            import tensorflow as tf

            model = tf.keras.Sequential([tf.keras.layers.LSTM(8), tf.keras.layers.Dense(1)])
            model.compile("adam", "mse", jit_compile=True)
            ds = tf.data.TFRecordDataset(files).map(parse).padded_batch(32, padded_shapes=([None], []))
            model.fit(ds, epochs=10)
            """,
        ),
        Example(
            "all of one length",
            """
            import tensorflow as tf

            model = tf.keras.Sequential([tf.keras.layers.LSTM(8), tf.keras.layers.Dense(1)])
            model.compile("adam", "mse", jit_compile=True)
            ds = tf.data.TFRecordDataset(files).map(parse).padded_batch(32, padded_shapes=([128], []))
            model.fit(ds, epochs=10)
            """,
            silent=True,
        ),
        Example(
            "without XLA",
            """
            import tensorflow as tf

            model = tf.keras.Sequential([tf.keras.layers.LSTM(8), tf.keras.layers.Dense(1)])
            model.compile("adam", "mse", jit_compile=False)
            model.fit(tf.data.TFRecordDataset(files).map(parse).padded_batch(32), epochs=10)
            """,
            silent=True,
        ),
    )
    evidence = Evidence(pair="dynamic-shape-under-xla")

    def check(self, program: Program) -> Findings:
        for pipeline in program.pipelines if program.runs_on_tensorflow else ():
            compiled = next(_compiled_by_xla(program, pipeline), None)
            if compiled is None or has_few(program, pipeline):
                continue
            for stage in pipeline.stages:
                if _pads_to_the_longest(program, stage):
                    yield self.finding(
                        stage,
                        "each batch is as long as its longest example, and XLA compiles the model anew for each length: "
                        "pad to a fixed length, or to a few",
                        related=(Related(compiled.name, "XLA is asked for here"),),
                    )


def _pads_to_the_longest(program: Program, stage: Stage) -> bool:
    """Whether the lengths of examples are left open: no shapes are given, or None is written in them."""
    if stage.op != "padded_batch" or stage.hides_arguments:
        return False
    shapes = stage.argument("padded_shapes")
    return shapes is None or _OPEN.search(program.written(Region.of(shapes.region))) is not None


def _compiled_by_xla(program: Program, pipeline: Pipeline) -> Iterator[Call]:
    """The calls of `compile` that ask for XLA, of models that are fitted to a pipeline."""
    fits = [fit_at(program, consumer.region) for consumer in pipeline.consumers]
    fitted = {fit.made_at for fit in fits if fit is not None and fit.made_at is not None}
    for call in program.calls if fitted else ():
        asked = call.keywords.get("jit_compile") if call.last_name == "compile" else None
        if asked is not None and asked.value == Literal(True) and call.made_at in fitted:
            yield call
