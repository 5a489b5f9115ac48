from __future__ import annotations

from pipelint.rule import (
    EXPERIMENTAL_AUTOTUNE,
    METHODS_INSTEAD,
    REMOVED,
    RENAMED,
    Call,
    Example,
    Findings,
    Fix,
    Program,
    Reference,
    Related,
    RenameAttributes,
    Renamed,
    ReplaceApply,
    ReplaceReferences,
    Rule,
    Safety,
    Severity,
    Version,
    display,
)

from ._modules import has_new_name, runs_with_tensorflow_1, uses_by_module
from ._transformations import deprecated_by_module, methods_instead, what_does_the_same


class DeprecatedTfdata(Rule):
    """A name of `tf.data.experimental` has moved to `tf.data`, or has been replaced or removed.

    ## What it finds
    `tf.data.experimental.AUTOTUNE`, the options `experimental_deterministic` and `experimental_threading`, functions such
    as `map_and_batch` and `group_by_window` that methods have replaced, and what is gone (`StatsAggregator`, ...).

    ## Why it matters
    What the target has removed raises an `AttributeError`: an error. All else is advice. `experimental_threading` and
    these functions log at each use that they are deprecated. `experimental.AUTOTUNE` (`tf.data.AUTOTUNE` since 2.4) and
    `experimental_deterministic` (`deterministic` since 2.7) are silent aliases, and told only where the project shows
    that it runs on a TensorFlow with the new name: by a requirement, a README, a Dockerfile, the outputs of a notebook, or
    a name beside it that came as late. Each name is told once a file.

    ## When to ignore it
    When the code must also run on a TensorFlow before the target. Silent for targets that lack the new name, where a
    README or a Dockerfile names one, in a notebook that installs one or was last run with it, where the program asks for
    the version or is in part for TensorFlow 1, for what nothing reads, and beside names that were gone soon after; where
    no version is required, also in a notebook, in a file that tests it, or with the new name in a comment on the line.

    ## Fix safety
    Safe for AUTOTUNE, the options and what calls the new method itself; unsafe where the order of elements may change.

    ## References
    - https://www.tensorflow.org/api_docs/python/tf/data/experimental
    """

    code = "PIPE903"
    name = "deprecated-tfdata"
    severity = Severity.ADVICE
    fix = "safe or unsafe"
    words = ("experimental",)
    examples = (
        Example(
            "AUTOTUNE",
            "import tensorflow as tf\nAUTO = tf.data.experimental.AUTOTUNE\n",
            "import tensorflow as tf\nAUTO = tf.data.AUTOTUNE\n",
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
        for name, renamed in RENAMED.items() if program.references else ():
            for references in uses_by_module(program, name):
                yield from self._renamed(program, references, renamed)
        for name in sorted(REMOVED.keys() & {reference.name for reference in program.references}):
            for first, *others in uses_by_module(program, name) if program.target >= REMOVED[name] else ():
                message = f"{display(name)} is gone since {_version(REMOVED[name])}: this raises an AttributeError"
                related = tuple(Related(other.region, "it is used here, too") for other in others)
                yield self.finding(first.region, message, severity=Severity.ERROR, related=related)
        for calls in deprecated_by_module(program):
            yield from self._deprecated(program, calls)

    def _renamed(self, program: Program, references: tuple[Reference, ...], renamed: Renamed) -> Findings:
        """One finding for all places of a file, as one change mends them."""
        place, old, new = references[0].region, references[0].name, renamed.new.rpartition(".")[2]
        is_record = program.is_notebook and not program.is_asked_for and not renamed.logs
        if is_record or not has_new_name(program, references, renamed):
            return
        if old == EXPERIMENTAL_AUTOTUNE.name:
            if all(one.idle for one in references) or runs_with_tensorflow_1(program, program.module_at(place)):
                return
            says = f"{display(old)} is {display(renamed.new)}"
            fix = Fix.safe(f"use {display(renamed.new)}", ReplaceReferences(references, renamed.new))
        else:
            says = f"the option experimental_{new} is called {new}"
            fix = Fix.safe(f"rename it to {new}", RenameAttributes(references, new))
        logs = "; the old name logs a warning" if renamed.logs else ""
        often = f"; this file has the old name {len(references)} times" if references[1:] else ""
        message = f"{says} since {_version(renamed.since)}{logs}{often}"
        others = tuple(Related(other.region, "the old name, here too") for other in references[1:])
        yield self.finding(place, message, fix=fix, related=others)

    def _deprecated(self, program: Program, calls: tuple[Call, ...]) -> Findings:
        """One finding for all calls of a function in a file that are replaced in the same way."""
        (first, *others), instead = calls, METHODS_INSTEAD[calls[0].last_name]
        if not program.works_with(instead.since, first.region):
            return
        replaced = tuple((call, methods) for call in calls if (methods := methods_instead(call)))
        safety = Safety.SAFE if instead.same else Safety.UNSAFE
        fix = Fix(f"use {instead.methods}", safety, ReplaceApply(replaced)) if replaced else None
        often = f"; this file calls it {len(calls)} times" if others else ""
        message = f"{display(first.symbol)} logs a deprecation; Dataset.{what_does_the_same(program, calls)}{often}"
        related = tuple(Related(other.name, "it is called here, too") for other in others)
        yield self.finding(first.name, message, fix=fix, related=related)


def _version(version: Version) -> str:
    return f"TensorFlow {version[0]}.{version[1]}"
