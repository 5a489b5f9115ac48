"""PIPE101 missing-prefetch: cases beyond the examples of the rule itself."""

from __future__ import annotations

import pytest

from pipelint.model.grades import Severity
from pipelint.rule import Example
from tests.rules.promises import check_promises

CASES = (
    Example(
        "fit on a batched dataset",
        """
        import tensorflow as tf

        ds = tf.data.Dataset.from_tensor_slices((x, y)).shuffle(1000).batch(64)
        model.fit(ds, epochs=3)
        """,
        """
        import tensorflow as tf

        ds = tf.data.Dataset.from_tensor_slices((x, y)).shuffle(1000).batch(64).prefetch(tf.data.AUTOTUNE)
        model.fit(ds, epochs=3)
        """,
        severity=Severity.ADVICE,
    ),
    Example(
        "iterated inside a tf.function, where TensorFlow inserts nothing",
        """
        import tensorflow as tf

        @tf.function
        def train_epoch(ds):
            for batch in ds:
                step(batch)

        train_epoch(tf.data.Dataset.range(1000).batch(32))
        """,
        """
        import tensorflow as tf

        @tf.function
        def train_epoch(ds):
            for batch in ds:
                step(batch)

        train_epoch(tf.data.Dataset.range(1000).batch(32).prefetch(tf.data.AUTOTUNE))
        """,
        severity=Severity.WARNING,
    ),
    Example(
        "a stage that only some runs have: added where the dataset is returned",
        """
        import tensorflow as tf

        def make(files, training):
            ds = tf.data.TFRecordDataset(files)
            ds = ds.batch(32)
            if training:
                ds = ds.repeat()
            return ds
        """,
        """
        import tensorflow as tf

        def make(files, training):
            ds = tf.data.TFRecordDataset(files)
            ds = ds.batch(32)
            if training:
                ds = ds.repeat()
            return ds.prefetch(tf.data.AUTOTUNE)
        """,
        severity=Severity.ADVICE,
    ),
    Example(
        "the last stage runs in parallel",
        """
        import tensorflow as tf

        ds = tf.data.TFRecordDataset(files).batch(32).map(parse, num_parallel_calls=tf.data.AUTOTUNE)
        model.fit(ds)
        """,
        silent=True,
    ),
    Example(
        "a look at the first batches",
        """
        import tensorflow as tf

        for batch in tf.data.TFRecordDataset(files).batch(32).take(2):
            show(batch)
        """,
        silent=True,
    ),
)


@pytest.mark.parametrize("example", CASES, ids=lambda example: example.title)
def test_missing_prefetch(example: Example) -> None:
    check_promises("PIPE101", example)
