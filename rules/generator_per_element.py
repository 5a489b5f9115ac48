from __future__ import annotations

from pipelint.rule import (
    Evidence,
    Example,
    Finding,
    Findings,
    Program,
    Related,
    Rule,
    Severity,
)

from ._generated_elements import computes_arrays, fits_a_map, handed_on, runs_plain_python
from ._generators import Collected, by_generator, generator_of
from ._purpose import evaluates
from ._python_batches import measured_python

_PADS = frozenset({"padded_batch", "bucket_by_sequence_length"})
_IN_BATCHES = "yield whole batches, or read the data with tf.data"


class GeneratorPerElement(Rule):
    """`from_generator` hands over one element at a time, and each crosses from Python into TensorFlow by itself.

    ## What it finds
    A `Dataset.from_generator` whose elements are batched later in the pipeline, once for each generator function. `pipelint
    profile` also tells it of a generator, or of other Python code, that gives a training loop or `fit` its batches, where
    training waits for them.

    ## Why it matters
    For each element TensorFlow calls back into the interpreter, holds its lock, converts the value and copies it: about
    0.1 ms before the generator has done any work. Nothing runs this in parallel, and no version of TensorFlow rewrites it.
    A generator that yields whole batches crosses once a batch. Arrays in memory need no generator: `from_tensor_slices`
    never leaves the graph. Files can be read by `tf.data` itself, or be converted to TFRecord files once.

    ## When to ignore it
    When making an element takes the generator much longer than 0.1 ms (a simulator, a large volume) and cannot be done
    in the graph: advice where the generator computes with numpy, or reads and changes pictures, which TensorFlow does in a
    map. Silent where the generator is not in sight or does what TensorFlow has nothing for, where
    the elements are cached, so that only the first epoch pays, where they are names of files that a later map reads,
    which takes much longer, and where the generator gives batches already: without a `batch` after it, after
    `unbatch` or `flat_map`, and with `batch(1)`; for sequences in memory that are padded to one length; for what is only evaluated beside the training; and where it only
    draws at random, in the place of data, or does what has no place in a map. `pipelint profile` measures all of them.

    ## References
    - https://www.tensorflow.org/guide/data#consuming_python_generators
    """

    code = "PIPE501"
    name = "generator-per-element"
    severity = Severity.WARNING
    fix = "none"
    words = ("from_generator",)
    examples = (
        Example(
            "single rows, batched later",
            """
            import tensorflow as tf

            def rows():
                for row, label in zip(features, labels):
                    yield row, label

            signature = (tf.TensorSpec((8,)), tf.TensorSpec((), tf.int32))
            ds = tf.data.Dataset.from_generator(rows, output_signature=signature)
            model.fit(ds.shuffle(1000).batch(32))
            """,
            severity=Severity.WARNING,
        ),
        Example(
            "cached after the first epoch",
            """
            import tensorflow as tf

            ds = tf.data.Dataset.from_generator(lambda: rows(path), output_signature=tf.TensorSpec((8,)))
            model.fit(ds.cache().batch(32), epochs=10)
            """,
            silent=True,
        ),
        Example(
            "the generator yields batches",
            """
            import tensorflow as tf

            def batches():
                for start in range(0, len(features), 32):
                    yield features[start : start + 32]

            model.fit(tf.data.Dataset.from_generator(batches, output_signature=tf.TensorSpec((None, 8))))
            """,
            silent=True,
        ),
        Example(
            "batches that are batched anew",
            """
            import tensorflow as tf

            ds = tf.data.Dataset.from_generator(chunks, output_signature=tf.TensorSpec((None, 8)))
            model.fit(ds.unbatch().batch(32))
            """,
            silent=True,
        ),
    )
    evidence = Evidence(pair="generator-per-element")

    def check(self, program: Program) -> Findings:
        for stage, message in measured_python(program):
            yield self.finding(stage, message)
        for first, *others in by_generator(program):
            places = dict.fromkeys(other.source.name for other in others if other.source.name != first.source.name)
            found = self._report(program, first, [Related(place, "the same generator again") for place in places])
            taken = [one.pipeline for one in (first, *others)]
            if found is not None and (found.severity is not Severity.ADVICE or not evaluates(taken)):
                yield found

    def _report(self, program: Program, collected: Collected, again: list[Related]) -> Finding | None:
        pipeline, source, batch = collected
        name = source.function.name if source.function is not None else None
        generator = generator_of(source)
        severity, reason = Severity.ADVICE, fits_a_map(program, generator)
        items = handed_on(source)
        if items and batch.op in _PADS:
            return None  # no slices have arrays of different lengths, and to pad them costs more than to hand them over
        if runs_plain_python(program, generator):
            severity = Severity.ADVICE if computes_arrays(program, generator) else Severity.WARNING
            reason = _IN_BATCHES
        elif source.cost is not None:
            reason = reason or _IN_BATCHES  # what it takes was measured, whatever it does
        if items:
            named = " and ".join(f"`{item}`" for item in items)
            reason = (
                f"where {named} {'is' if len(items) == 1 else 'are'} in memory, from_tensor_slices needs no generator"
            )
        if not reason:
            return None
        return self.finding(
            source,
            f"{f'`{name}`' if name else 'this generator'} makes one element at a time in one thread of Python, and each "
            f"crosses into TensorFlow by itself, before {batch.op}; {reason}",
            severity=pipeline.graded(severity),
            related=(*([Related(generator.location, "called back for each element")] if generator else ()), *again),
        )
