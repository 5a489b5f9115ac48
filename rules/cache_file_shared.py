from __future__ import annotations

from collections.abc import Iterator

from pipelint.rule import Example, Findings, Pipeline, Program, Related, Rule, Severity, Stage

from ._choices import stand_together
from ._purpose import proven_purpose


class CacheFileShared(Rule):
    """Two datasets are cached in one file: the second gives the elements of the first.

    ## What it finds
    The same file name in the `cache` of two different datasets of a program, also where one function with a fixed file name is
    called for training and for evaluation.

    ## Why it matters
    Once the file is complete, every `cache` of that name reads it and never asks its own input: data for validation is then the
    training data, and the figures are far too good. Read by turns, the second one raises an error because the first holds a lock.

    ## When to ignore it
    When both datasets have the same elements. Silent where a name is put together at run time, and for datasets of which
    a program builds either the one or the other.

    The rule is off by default, since hardly any public code names a file for a cache, and none that it was tried on has
    this fault.

    ## Fix safety
    No fix: give each dataset a file of its own, and delete the old one.

    ## References
    - https://www.tensorflow.org/api_docs/python/tf/data/Dataset#cache
    """

    code = "PIPE305"
    name = "cache-file-shared"
    severity = Severity.ERROR
    fix = "none"
    default = False
    words = ("cache",)
    examples = (
        Example(
            "one function for both",
            """
            import tensorflow as tf

            def load(files):
                return tf.data.TFRecordDataset(files).map(parse).cache("/tmp/rows").batch(32)

            model.fit(load(train_files), validation_data=load(test_files), epochs=10)
            """,
        ),
        Example(
            "the same name twice",
            """
            import tensorflow as tf

            train = tf.data.TFRecordDataset(train_files).map(parse).cache("rows").batch(32)
            test = tf.data.TFRecordDataset(test_files).map(parse).cache("rows").batch(32)
            model.fit(train, validation_data=test, epochs=10)
            """,
        ),
        Example(
            "a file for each",
            """
            import tensorflow as tf

            train = tf.data.TFRecordDataset(train_files).map(parse).cache("train").batch(32)
            test = tf.data.TFRecordDataset(test_files).map(parse).cache("test").batch(32)
            model.fit(train, validation_data=test, epochs=10)
            """,
            silent=True,
        ),
        Example(
            "two parts of one dataset",
            """
            import tensorflow as tf

            rows = tf.data.TFRecordDataset(files).map(parse).cache("rows")
            model.fit(rows.skip(100).batch(32), validation_data=rows.take(100).batch(32), epochs=10)
            """,
            silent=True,
        ),
    )

    def check(self, program: Program) -> Findings:
        first: dict[str, tuple[Stage, Pipeline]] = {}
        told: set[str] = set()
        for file, cache, pipeline in _caches(program):
            known, other = first.setdefault(file, (cache, pipeline))
            if file not in told and _are_two(known, cache) and _differ(known, cache, other, pipeline):
                told.add(file)
                yield self.finding(
                    cache,
                    f"two datasets are cached in `{file}`: once the file is complete, the second gives the elements of "
                    "the first; give each a file of its own",
                    related=(Related(known.name, "the first is cached here"),) if known.call != cache.call else (),
                )


def _caches(program: Program) -> Iterator[tuple[str, Stage, Pipeline]]:
    """Every cache in a file whose name is written, with the file."""
    for pipeline in program.pipelines:
        for stage in pipeline.stages:
            name = stage.argument("filename") if stage.op == "cache" else None
            if name is not None and name.text:
                yield name.text, stage, pipeline


def _are_two(one: Stage, other: Stage) -> bool:
    """Whether they cache different datasets that a program has at once."""
    return None not in (one.gives, other.gives) and one.gives != other.gives and stand_together(one, other)


def _differ(one: Stage, other: Stage, first: Pipeline, second: Pipeline) -> bool:
    """Whether they have different elements: one call makes them for training and for evaluation, or two calls do."""
    if first.dataset is second.dataset:
        return False
    return one.call != other.call or proven_purpose(first) is not proven_purpose(second)
