from __future__ import annotations

from pipelint.rule import Effect, Evidence, Example, Findings, Program, Related, Rule, Severity, Stage

from ._choices import stand_together
from ._little_data import has_few


class FilterAfterExpensiveMap(Rule):
    """A `filter` after a `map` that reads or decodes looks only at a part of the element which the map leaves alone.

    ## What it finds
    `map(load).filter(keep)`, where `load` reads, decodes or runs Python, and `keep` looks at nothing but parts of the
    element, such as a label, that `load` gives back as it got them.

    ## Why it matters
    What the filter drops has been read and decoded before, in every epoch. Before the map it drops the same elements,
    and they are never computed. TensorFlow 2.21 never changes the places of the two.

    ## When to ignore it
    When the filter drops next to nothing. Silent for few elements, where the filter looks at what the map computes, and
    where the map takes or gives anything but the parts of a tuple, one for each parameter.

    The rule is off by default, since nothing in the 12,600 public files that it was tried on has it.

    ## Fix safety
    No fix: write `filter` before `map`, with a function that takes what the map takes.

    ## References
    - https://www.tensorflow.org/guide/data_performance
    """

    code = "PIPE108"
    name = "filter-after-expensive-map"
    severity = Severity.ADVICE
    fix = "none"
    default = False
    words = ("filter",)
    examples = (
        Example(
            "some labels",
            """
            import tensorflow as tf

            def load(path, label):
                return tf.io.decode_jpeg(tf.io.read_file(path)), label

            ds = tf.data.Dataset.from_tensor_slices((paths, labels)).map(load)
            model.fit(ds.filter(lambda image, label: label < 5).batch(32), epochs=10)
            """,
        ),
        Example(
            "filtered first",
            """
            import tensorflow as tf

            def load(path, label):
                return tf.io.decode_jpeg(tf.io.read_file(path)), label

            ds = tf.data.Dataset.from_tensor_slices((paths, labels)).filter(lambda path, label: label < 5)
            model.fit(ds.map(load).batch(32), epochs=10)
            """,
            silent=True,
        ),
        Example(
            "a filter that looks at pictures",
            """
            import tensorflow as tf

            def load(path, label):
                return tf.io.decode_jpeg(tf.io.read_file(path)), label

            ds = tf.data.Dataset.from_tensor_slices((paths, labels)).map(load)
            model.fit(ds.filter(lambda image, label: tf.shape(image)[0] > 99).batch(32), epochs=10)
            """,
            silent=True,
        ),
    )
    evidence = Evidence(pair="filter-after-expensive-map")

    def check(self, program: Program) -> Findings:
        for pipeline in program.pipelines:
            for stage in pipeline.stages if not has_few(program, pipeline) else ():
                load = _needless_map(stage) if stage.op == "filter" else None
                if load is not None and load.function is not None:
                    yield self.finding(
                        stage,
                        f"this filter looks only at what {load.function.label} leaves alone, and drops elements that were read or "
                        "decoded before; before that map they are never computed",
                        related=(Related(load.name, "computes what is dropped"),),
                    )


def _needless_map(keep: Stage) -> Stage | None:
    """The map right before a filter that works for elements which the filter could drop without it."""
    if keep.function is None or len(keep.inputs) != 1:
        return None
    stage, looks_at = keep.inputs[0], keep.function.looks_at
    costs = stage.op == "map" and stage.cause(Effect.READ, Effect.DECODE, Effect.PYTHON) is not None
    spared = stage.function is not None and bool(looks_at) and looks_at <= stage.function.untouched
    return stage if costs and spared and stand_together(stage, keep) else None
