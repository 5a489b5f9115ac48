"""PIPE102 prefetch-not-last: cases beyond the examples of the rule itself."""

from __future__ import annotations

import pytest

from pipelint.model.grades import Severity
from pipelint.rule import Example
from tests.rules.promises import check_promises

CASES = (
    Example(
        "prefetch before batch, in one chain",
        """
        import tensorflow as tf

        ds = tf.data.TFRecordDataset(files).map(parse).prefetch(tf.data.AUTOTUNE).batch(32)
        model.fit(ds)
        """,
        """
        import tensorflow as tf

        ds = tf.data.TFRecordDataset(files).map(parse).batch(32).prefetch(tf.data.AUTOTUNE)
        model.fit(ds)
        """,
        severity=Severity.ADVICE,
    ),
    Example(
        "iterated inside a tf.function, where TensorFlow inserts none",
        """
        import tensorflow as tf

        @tf.function
        def train_epoch(ds):
            for batch in ds:
                step(batch)

        ds = tf.data.TFRecordDataset(files)
        ds = ds.prefetch(1000)
        ds = ds.batch(32)
        train_epoch(ds)
        """,
        """
        import tensorflow as tf

        @tf.function
        def train_epoch(ds):
            for batch in ds:
                step(batch)

        ds = tf.data.TFRecordDataset(files)
        ds = ds.batch(32)
        ds = ds.prefetch(tf.data.AUTOTUNE)
        train_epoch(ds)
        """,
        severity=Severity.WARNING,
    ),
    Example(
        "a chain of lines",
        """
        import tensorflow as tf

        ds = (
            tf.data.TFRecordDataset(files)
            .prefetch(tf.data.AUTOTUNE)  # read ahead
            .padded_batch(32)
            .repeat()
        )
        model.fit(ds, steps_per_epoch=100)
        """,
        """
        import tensorflow as tf

        ds = (
            tf.data.TFRecordDataset(files)
            .padded_batch(32)
            .repeat()
            .prefetch(tf.data.AUTOTUNE)  # read ahead
        )
        model.fit(ds, steps_per_epoch=100)
        """,
        severity=Severity.WARNING,
        target=(2, 10),
    ),
    Example(
        "followed only by stages that pass elements on",
        """
        import tensorflow as tf

        ds = tf.data.TFRecordDataset(files).batch(32).prefetch(tf.data.AUTOTUNE).repeat().take(100)
        model.fit(ds)
        """,
        silent=True,
    ),
    Example(
        "a later prefetch",
        """
        import tensorflow as tf

        ds = tf.data.TFRecordDataset(files).prefetch(8).map(parse).batch(32).prefetch(tf.data.AUTOTUNE)
        model.fit(ds)
        """,
        silent=True,
    ),
    Example(
        "the caller prefetches",
        """
        import tensorflow as tf

        def records(files):
            return tf.data.TFRecordDataset(files).prefetch(8).batch(32)

        model.fit(records(["a", "b"]).prefetch(tf.data.AUTOTUNE))
        """,
        silent=True,
    ),
)


@pytest.mark.parametrize("example", CASES, ids=lambda example: example.title)
def test_prefetch_not_last(example: Example) -> None:
    check_promises("PIPE102", example)
