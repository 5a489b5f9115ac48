from __future__ import annotations

from pipelint.rule import Evidence, Example, Findings, Fix, Program, ReplaceCall, Rule, Severity

from ._counted_elements import iterated_counts

_LENGTH_SINCE = (2, 3)
"""The first TensorFlow in which a dataset has a length."""


class CountByIterating(Rule):
    """A dataset is run through only to count its elements, though TensorFlow knows their number.

    ## What it finds
    `len(list(ds))`, `sum(1 for _ in ds)`, `ds.reduce(0, lambda n, _: n + 1)` and the like, where the number of elements is known before they are made: of
    arrays, listed files, pictures in directories and data sets of TensorFlow Datasets, mapped, batched or shuffled.

    ## Why it matters
    All elements are read, decoded and batched for a number, and `list` holds all of them in memory. `len(ds)`, or
    `ds.cardinality()`, looks at the stages and takes no time.

    ## When to ignore it
    When the count is there to see that every file can be read. Silent where TensorFlow does not know the number: after
    `filter`, `flat_map`, `interleave` and `unbatch`, for records, lines and generators; where it is without end; for
    less than a thousand elements in memory; and in tests.

    ## Fix safety
    Unsafe: `len(ds)` counts what the stages promise, also where a file is broken, and raises a TypeError if a stage
    hides the number. None for a `reduce` without `.numpy()`, which gives a tensor.

    ## References
    - https://www.tensorflow.org/api_docs/python/tf/data/Dataset#cardinality
    """

    code = "PIPE508"
    name = "count-by-iterating"
    severity = Severity.ADVICE
    fix = "unsafe"
    words = ("len", "reduce", "sum")
    examples = (
        Example(
            "the batches of a directory",
            """
            import tensorflow as tf

            ds = tf.keras.utils.image_dataset_from_directory("photos", batch_size=32)
            steps = len(list(ds))
            model.fit(ds.repeat(), steps_per_epoch=steps)
            """,
            """
            import tensorflow as tf

            ds = tf.keras.utils.image_dataset_from_directory("photos", batch_size=32)
            steps = len(ds)
            model.fit(ds.repeat(), steps_per_epoch=steps)
            """,
        ),
        Example(
            "one for each",
            """
            import tensorflow as tf

            ds = tf.data.Dataset.list_files("photos/*.jpg").map(decode).batch(32)
            print(sum(1 for _ in ds), "batches")
            """,
            """
            import tensorflow as tf

            ds = tf.data.Dataset.list_files("photos/*.jpg").map(decode).batch(32)
            print(len(ds), "batches")
            """,
        ),
        Example(
            "nobody knows how many records there are",
            """
            import tensorflow as tf

            ds = tf.data.TFRecordDataset(files).map(parse).batch(32)
            steps = len(list(ds))
            """,
            silent=True,
        ),
        Example(
            "the list is used",
            """
            import tensorflow as tf

            batches = list(tf.data.Dataset.list_files("photos/*.jpg").map(decode).batch(32))
            print(len(batches), batches[0])
            """,
            silent=True,
        ),
    )
    evidence = Evidence(pair="count-by-iterating")

    def check(self, program: Program) -> Findings:
        for call, place, number in iterated_counts(program):
            if not program.works_with(_LENGTH_SINCE, place):
                continue
            written = program.written(place)
            yield self.finding(
                call.name,
                f"all elements of `{written}` are made only to be counted: len({written}) tells their number without that",
                fix=Fix.unsafe("ask the dataset for its length", ReplaceCall(number, "builtins.len", (("", place),)))
                if number is not None
                else None,
            )
