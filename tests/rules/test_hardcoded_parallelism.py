"""PIPE202 hardcoded-parallelism: cases beyond the examples of the rule itself."""

from __future__ import annotations

import pytest

from pipelint.model.grades import Severity
from pipelint.rule import Example
from tests.rules.promises import check_promises

CASES = (
    Example(
        "one call at a time",
        """
        import tensorflow as tf

        ds = tf.data.TFRecordDataset(files).map(tf.io.parse_tensor, num_parallel_calls=1)
        model.fit(ds.batch(32).prefetch(tf.data.AUTOTUNE))
        """,
        """
        import tensorflow as tf

        ds = tf.data.TFRecordDataset(files).map(tf.io.parse_tensor, num_parallel_calls=tf.data.AUTOTUNE)
        model.fit(ds.batch(32).prefetch(tf.data.AUTOTUNE))
        """,
        severity=Severity.WARNING,
    ),
    Example(
        "the count of processors",
        """
        import multiprocessing
        import tensorflow as tf

        AUTO = tf.data.AUTOTUNE
        ds = tf.data.Dataset.from_tensor_slices(images)
        ds = ds.map(tf.image.random_flip_left_right, multiprocessing.cpu_count())
        model.fit(ds.batch(32).prefetch(AUTO))
        """,
        """
        import multiprocessing
        import tensorflow as tf

        AUTO = tf.data.AUTOTUNE
        ds = tf.data.Dataset.from_tensor_slices(images)
        ds = ds.map(tf.image.random_flip_left_right, AUTO)
        model.fit(ds.batch(32).prefetch(AUTO))
        """,
        severity=Severity.ADVICE,
    ),
    Example(
        "parallel reads: their number decides the order",
        """
        import tensorflow as tf

        ds = tf.data.TFRecordDataset(files, num_parallel_reads=8)
        model.fit(ds.batch(32).prefetch(tf.data.AUTOTUNE))
        """,
        """
        import tensorflow as tf

        ds = tf.data.TFRecordDataset(files, num_parallel_reads=tf.data.AUTOTUNE)
        model.fit(ds.batch(32).prefetch(tf.data.AUTOTUNE))
        """,
        severity=Severity.ADVICE,
    ),
    Example(
        "AUTOTUNE, by its name and by its value",
        """
        import tensorflow as tf

        ds = tf.data.TFRecordDataset(files).map(parse, num_parallel_calls=tf.data.AUTOTUNE)
        ds = ds.map(resize, num_parallel_calls=-1)
        model.fit(ds.batch(32).prefetch(tf.data.AUTOTUNE))
        """,
        silent=True,
    ),
    Example(
        "one file has nothing to read in parallel",
        """
        import tensorflow as tf

        ds = tf.data.TFRecordDataset("train.tfrecord", num_parallel_reads=1)
        model.fit(ds.batch(32).prefetch(tf.data.AUTOTUNE))
        """,
        silent=True,
    ),
)


@pytest.mark.parametrize("example", CASES, ids=lambda example: example.title)
def test_hardcoded_parallelism(example: Example) -> None:
    check_promises("PIPE202", example)
