"""PIPE401 shuffle-after-batch: cases beyond the examples of the rule itself."""

from __future__ import annotations

import pytest

from pipelint.model.grades import Severity
from pipelint.rule import Example
from tests.rules.promises import check_promises

CASES = (
    Example(
        "in one chain",
        """
        import tensorflow as tf

        ds = tf.data.Dataset.from_tensor_slices((x, y)).batch(32).shuffle(1000).prefetch(tf.data.AUTOTUNE)
        model.fit(ds, epochs=10)
        """,
        """
        import tensorflow as tf

        ds = tf.data.Dataset.from_tensor_slices((x, y)).shuffle(1000).batch(32).prefetch(tf.data.AUTOTUNE)
        model.fit(ds, epochs=10)
        """,
        severity=Severity.WARNING,
    ),
    Example(
        "line by line",
        """
        import tensorflow as tf

        train = tf.data.TFRecordDataset(files)
        train = train.padded_batch(32, drop_remainder=True)
        train = train.shuffle(
            buffer_size=1000,  # examples
        )
        model.fit(train.prefetch(tf.data.AUTOTUNE), epochs=10)
        """,
        """
        import tensorflow as tf

        train = tf.data.TFRecordDataset(files)
        train = train.shuffle(
            buffer_size=1000,  # examples
        )
        train = train.padded_batch(32, drop_remainder=True)
        model.fit(train.prefetch(tf.data.AUTOTUNE), epochs=10)
        """,
    ),
    Example(
        "behind a cache: moving it up would freeze the order",
        """
        import tensorflow as tf

        ds = tf.data.TFRecordDataset(files).batch(32).cache().shuffle(100)
        model.fit(ds.prefetch(tf.data.AUTOTUNE), epochs=10)
        """,
    ),
    Example(
        "shuffled before too",
        """
        import tensorflow as tf

        ds = tf.data.TFRecordDataset(files).shuffle(1000).batch(32).shuffle(10).prefetch(tf.data.AUTOTUNE)
        model.fit(ds, epochs=10)
        """,
        silent=True,
    ),
    Example(
        "a source that gives batches",
        """
        import tensorflow as tf

        ds = tf.keras.utils.image_dataset_from_directory("images").shuffle(10)
        model.fit(ds.prefetch(tf.data.AUTOTUNE), epochs=10)
        """,
        silent=True,
    ),
    Example(
        "sequences that are batched later",
        """
        import tensorflow as tf

        chars = tf.data.Dataset.from_tensor_slices(ids).batch(101, drop_remainder=True).map(split)
        model.fit(chars.shuffle(10_000).batch(64).prefetch(tf.data.AUTOTUNE), epochs=10)
        """,
        silent=True,
    ),
)


@pytest.mark.parametrize("example", CASES, ids=lambda example: example.title)
def test_shuffle_after_batch(example: Example) -> None:
    check_promises("PIPE401", example)
