from __future__ import annotations

from pipelint.rule import (
    EXPERIMENTAL_AUTOTUNE,
    METHODS_INSTEAD,
    RENAMED,
    Call,
    Example,
    Finding,
    Findings,
    Fix,
    Program,
    Reference,
    RenameAttribute,
    ReplaceApply,
    ReplaceReference,
    Rule,
    Severity,
)

from ._transformations import methods_instead

_EXPERIMENTAL = "tensorflow.data.experimental."


class DeprecatedTfdata(Rule):
    """A name of `tf.data.experimental` has moved to `tf.data`, or has been replaced.

    ## What it finds
    `tf.data.experimental.AUTOTUNE`, the options `experimental_deterministic` and `experimental_threading`, and the
    transformations `map_and_batch`, `shuffle_and_repeat`, `parallel_interleave` and `unbatch` given to `apply`.

    ## Why it matters
    `tf.data.AUTOTUNE` is there since 2.4, `Options.deterministic` and `Options.threading` since 2.7; some of the old
    names log a warning at each use. The four transformations are deprecated since 1.x: TensorFlow fuses and
    parallelises the plain stages by itself.

    ## When to ignore it
    When the code must also run on a TensorFlow before the target. Silent for targets that lack the new name, and for
    programs written for TensorFlow 1.

    ## Fix safety
    Safe for AUTOTUNE and the options: the new name is the same thing. Unsafe for the transformations: the order of a
    parallel read, the random order and the number of parallel calls may change.

    ## References
    - https://www.tensorflow.org/api_docs/python/tf/data/experimental
    - https://www.tensorflow.org/api_docs/python/tf/data/Options
    """

    code = "PIPE903"
    name = "deprecated-tfdata"
    severity = Severity.WARNING
    fix = "safe or unsafe"
    examples = (
        Example(
            "AUTOTUNE",
            """
            import tensorflow as tf

            AUTO = tf.data.experimental.AUTOTUNE
            """,
            """
            import tensorflow as tf

            AUTO = tf.data.AUTOTUNE
            """,
        ),
        Example(
            "options",
            """
            import tensorflow as tf

            options = tf.data.Options()
            options.experimental_deterministic = False
            options.experimental_threading.private_threadpool_size = 8
            """,
            """
            import tensorflow as tf

            options = tf.data.Options()
            options.deterministic = False
            options.threading.private_threadpool_size = 8
            """,
            count=2,
        ),
        Example(
            "a transformation",
            """
            import tensorflow as tf

            ds = tf.data.TFRecordDataset(files)
            ds = ds.apply(tf.data.experimental.map_and_batch(parse, 32, drop_remainder=True))
            """,
            """
            import tensorflow as tf

            ds = tf.data.TFRecordDataset(files)
            ds = ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE).batch(32, drop_remainder=True)
            """,
        ),
        Example(
            "a target without the new name",
            """
            import tensorflow as tf

            AUTO = tf.data.experimental.AUTOTUNE
            """,
            silent=True,
            target=(2, 3),
        ),
    )

    def check(self, program: Program) -> Findings:
        if program.legacy:
            return
        for reference in program.references:
            yield from self._check_reference(program, reference)
        for call in program.calls:
            name = call.symbol.removeprefix(_EXPERIMENTAL)
            if call.symbol.startswith(_EXPERIMENTAL) and name in METHODS_INSTEAD:
                yield self._deprecated(call, name)

    def _check_reference(self, program: Program, reference: Reference) -> Findings:
        renamed = RENAMED.get(reference.name)
        if renamed is None or program.target < renamed.since:
            return
        since = f"TensorFlow {'.'.join(map(str, renamed.since))}"
        if reference.name == EXPERIMENTAL_AUTOTUNE.name:
            message = f"tf.data.experimental.AUTOTUNE is tf.data.AUTOTUNE since {since}"
            fix = Fix.safe("use tf.data.AUTOTUNE", ReplaceReference(reference, renamed.new))
        else:
            new = renamed.new.rpartition(".")[2]
            message = f"the option experimental_{new} is called {new} since {since}"
            fix = Fix.safe(f"rename it to {new}", RenameAttribute(reference, new))
        yield self.finding(reference.region, message, fix=fix)

    def _deprecated(self, call: Call, name: str) -> Finding:
        methods = methods_instead(call)
        fix = Fix.unsafe(f"use {METHODS_INSTEAD[name]}", ReplaceApply(call, methods)) if methods else None
        message = f"tf.data.experimental.{name} is deprecated; Dataset.{METHODS_INSTEAD[name]} does the same"
        return self.finding(call.name, message, fix=fix)
