"""PIPE302 cache-after-shuffle: cases beyond the examples of the rule itself."""

from __future__ import annotations

import pytest

from pipelint.model.grades import Severity
from pipelint.rule import Example
from tests.rules.promises import check_promises

CASES = (
    Example(
        "shuffled once",
        """
        import tensorflow as tf

        ds = tf.data.TFRecordDataset(files).shuffle(10_000).cache().batch(32).prefetch(tf.data.AUTOTUNE)
        model.fit(ds, epochs=10)
        """,
        """
        import tensorflow as tf

        ds = tf.data.TFRecordDataset(files).cache().shuffle(10_000).batch(32).prefetch(tf.data.AUTOTUNE)
        model.fit(ds, epochs=10)
        """,
        severity=Severity.ERROR,
    ),
    Example(
        "the same batches in every epoch",
        """
        import tensorflow as tf

        ds = (
            tf.data.TFRecordDataset(files)
            .shuffle(10_000)
            .batch(32)
            .cache()
            .prefetch(tf.data.AUTOTUNE)
        )
        model.fit(ds, epochs=10)
        """,
        """
        import tensorflow as tf

        ds = (
            tf.data.TFRecordDataset(files)
            .cache()
            .shuffle(10_000)
            .batch(32)
            .prefetch(tf.data.AUTOTUNE)
        )
        model.fit(ds, epochs=10)
        """,
    ),
    Example(
        "a fixed order on purpose",
        """
        import tensorflow as tf

        ds = tf.data.TFRecordDataset(files).shuffle(10_000, reshuffle_each_iteration=False).cache()
        model.fit(ds.batch(32).prefetch(tf.data.AUTOTUNE), epochs=10)
        """,
        silent=True,
    ),
    Example(
        "shuffled again behind the cache",
        """
        import tensorflow as tf

        ds = tf.data.TFRecordDataset(files).shuffle(100).cache().shuffle(10_000)
        model.fit(ds.batch(32).prefetch(tf.data.AUTOTUNE), epochs=10)
        """,
        silent=True,
    ),
    Example(
        "evaluation",
        """
        import tensorflow as tf

        ds = tf.data.TFRecordDataset(files).shuffle(100).batch(32).cache().prefetch(tf.data.AUTOTUNE)
        model.evaluate(ds)
        """,
        silent=True,
    ),
)


@pytest.mark.parametrize("example", CASES, ids=lambda example: example.title)
def test_cache_after_shuffle(example: Example) -> None:
    check_promises("PIPE302", example)
