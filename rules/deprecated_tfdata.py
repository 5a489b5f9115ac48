from __future__ import annotations

from pipelint.rule import (
    EXPERIMENTAL_AUTOTUNE,
    METHODS_INSTEAD,
    REMOVED,
    RENAMED,
    Call,
    Example,
    Finding,
    Findings,
    Fix,
    Program,
    Reference,
    Region,
    Related,
    RenameAttribute,
    ReplaceApply,
    ReplaceReferences,
    Rule,
    Severity,
    Version,
    display,
)

from ._modules import runs_with_tensorflow_1, uses_by_module
from ._transformations import methods_instead

_EXPERIMENTAL = "tensorflow.data.experimental."


class DeprecatedTfdata(Rule):
    """A name of `tf.data.experimental` has moved to `tf.data`, or has been replaced or removed.

    ## What it finds
    `tf.data.experimental.AUTOTUNE`, the options `experimental_deterministic` and `experimental_threading`, the
    transformations `map_and_batch`, `shuffle_and_repeat`, `parallel_interleave` and `unbatch` given to `apply`, and what
    is gone (`StatsAggregator`, `MapVectorizationOptions`, ...).

    ## Why it matters
    What the target has removed raises an `AttributeError`: an error. `experimental_threading` and the four
    transformations log at each use that they are deprecated: a warning. `experimental.AUTOTUNE` (`tf.data.AUTOTUNE` since
    2.4) and `experimental_deterministic` (`deterministic` since 2.7) are silent aliases: advice, for AUTOTUNE once a file.

    ## When to ignore it
    When the code must also run on a TensorFlow before the target. Silent for targets that lack the new name, where the
    program itself asks for the version or for the name, and for programs of which a part is written for TensorFlow 1.

    ## Fix safety
    Safe for AUTOTUNE and the options, which are the same thing; unsafe for the transformations: their order may change.

    ## References
    - https://www.tensorflow.org/api_docs/python/tf/data/experimental
    """

    code = "PIPE903"
    name = "deprecated-tfdata"
    severity = Severity.WARNING
    fix = "safe or unsafe"
    words = ("experimental",)
    examples = (
        Example(
            "AUTOTUNE",
            "import tensorflow as tf\nAUTO = tf.data.experimental.AUTOTUNE\n",
            "import tensorflow as tf\nAUTO = tf.data.AUTOTUNE\n",
            severity=Severity.ADVICE,
            target=(2, 16),
        ),
        Example(
            "an option that logs a warning",
            """
            import tensorflow as tf
            options = tf.data.Options()
            options.experimental_threading.private_threadpool_size = 8
            """,
            """
            import tensorflow as tf
            options = tf.data.Options()
            options.threading.private_threadpool_size = 8
            """,
            severity=Severity.WARNING,
        ),
        Example(
            "a transformation",
            """
            import tensorflow as tf
            ds = tf.data.TFRecordDataset(files).apply(tf.data.experimental.map_and_batch(parse, 32))
            """,
            """
            import tensorflow as tf
            ds = tf.data.TFRecordDataset(files).map(parse, num_parallel_calls=tf.data.AUTOTUNE).batch(32)
            """,
        ),
        Example(
            "code for several versions",
            """
            import tensorflow as tf
            AUTO = tf.data.AUTOTUNE if hasattr(tf.data, "AUTOTUNE") else tf.data.experimental.AUTOTUNE
            """,
            silent=True,
        ),
    )

    def check(self, program: Program) -> Findings:
        for references in uses_by_module(program, EXPERIMENTAL_AUTOTUNE.name):
            yield from self._autotune(program, references)
        for reference in program.references:
            if not reference.guarded and reference.name != EXPERIMENTAL_AUTOTUNE.name:
                yield from self._check_reference(program, reference)
        guarded = {reference.region.end for reference in program.references if reference.guarded}
        for call in program.calls:
            name = call.symbol.removeprefix(_EXPERIMENTAL)
            if call.symbol != name in METHODS_INSTEAD and Region.of(call.name).end not in guarded:
                yield self._deprecated(call, name)

    def _check_reference(self, program: Program, reference: Reference) -> Findings:
        gone = REMOVED.get(reference.name)
        if gone is not None and program.target >= gone:
            message = f"{display(reference.name)} is gone since {_version(gone)}: this raises an AttributeError"
            yield self.finding(reference.region, message, severity=Severity.ERROR)
        renamed = RENAMED.get(reference.name)
        if renamed is None or program.target < renamed.since:
            return
        severity, logs = (Severity.WARNING, "; the old name logs a warning") if renamed.logs else (Severity.ADVICE, "")
        new, since = renamed.new.rpartition(".")[2], _version(renamed.since)
        fix = Fix.safe(f"rename it to {new}", RenameAttribute(reference, new))
        message = f"the option experimental_{new} is called {new} since {since}{logs}"
        yield self.finding(reference.region, message, severity=severity, fix=fix)

    def _autotune(self, program: Program, references: tuple[Reference, ...]) -> Findings:
        renamed, place = RENAMED[references[0].name], references[0].region
        if program.target >= renamed.since and not runs_with_tensorflow_1(program, program.module_at(place)):
            often = f"; this file has the old name {len(references)} times" if references[1:] else ""
            message = f"tf.data.experimental.AUTOTUNE is tf.data.AUTOTUNE since {_version(renamed.since)}{often}"
            fix = Fix.safe("use tf.data.AUTOTUNE", ReplaceReferences(references, renamed.new))
            others = tuple(Related(other.region, "the old name, here too") for other in references[1:])
            yield self.finding(place, message, severity=Severity.ADVICE, fix=fix, related=others)

    def _deprecated(self, call: Call, name: str) -> Finding:
        methods, same = methods_instead(call), METHODS_INSTEAD[name]
        fix = Fix.unsafe(f"use {same}", ReplaceApply(call, methods)) if methods else None
        message = f"tf.data.experimental.{name} logs a deprecation; Dataset.{same} does the same"
        return self.finding(call.name, message, fix=fix)


def _version(version: Version) -> str:
    return f"TensorFlow {version[0]}.{version[1]}"
