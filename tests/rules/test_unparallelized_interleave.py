"""PIPE203 unparallelized-interleave: cases beyond the examples of the rule itself."""

from __future__ import annotations

import pytest

from pipelint.model.grades import Severity
from pipelint.rule import Example
from tests.rules.promises import check_promises

CASES = (
    Example(
        "remote files",
        """
        import tensorflow as tf

        files = tf.data.Dataset.list_files("gs://bucket/train-*.tfrecord")
        ds = files.interleave(tf.data.TFRecordDataset, cycle_length=8)
        model.fit(ds.batch(32).prefetch(tf.data.AUTOTUNE))
        """,
        """
        import tensorflow as tf

        files = tf.data.Dataset.list_files("gs://bucket/train-*.tfrecord")
        ds = files.interleave(tf.data.TFRecordDataset, cycle_length=8, num_parallel_calls=tf.data.AUTOTUNE)
        model.fit(ds.batch(32).prefetch(tf.data.AUTOTUNE))
        """,
        severity=Severity.WARNING,
    ),
    Example(
        "remote files whose names are not all known",
        """
        import tensorflow as tf

        files = tf.io.gfile.glob(f"gs://{bucket}/*.tfrecord")
        ds = tf.data.Dataset.from_tensor_slices(files).interleave(
            lambda path: tf.data.TFRecordDataset(path), cycle_length=8
        )
        model.fit(ds.batch(32).prefetch(tf.data.AUTOTUNE))
        """,
        """
        import tensorflow as tf

        files = tf.io.gfile.glob(f"gs://{bucket}/*.tfrecord")
        ds = tf.data.Dataset.from_tensor_slices(files).interleave(
            lambda path: tf.data.TFRecordDataset(path), cycle_length=8, num_parallel_calls=tf.data.AUTOTUNE
        )
        model.fit(ds.batch(32).prefetch(tf.data.AUTOTUNE))
        """,
        severity=Severity.WARNING,
    ),
    Example(
        "the inner dataset maps",
        """
        import tensorflow as tf

        def read(path):
            return tf.data.TFRecordDataset(path).map(tf.io.parse_tensor)

        ds = tf.data.Dataset.list_files(pattern).interleave(
            read,
            cycle_length=4,
            block_length=16,
        )
        model.fit(ds.batch(32).prefetch(tf.data.AUTOTUNE))
        """,
        """
        import tensorflow as tf

        def read(path):
            return tf.data.TFRecordDataset(path).map(tf.io.parse_tensor)

        ds = tf.data.Dataset.list_files(pattern).interleave(
            read,
            cycle_length=4,
            block_length=16,
            num_parallel_calls=tf.data.AUTOTUNE,
        )
        model.fit(ds.batch(32).prefetch(tf.data.AUTOTUNE))
        """,
        severity=Severity.WARNING,
    ),
    Example(
        "local files, and no cycle_length: the order would change",
        """
        import tensorflow as tf

        AUTO = tf.data.AUTOTUNE
        lines = tf.data.Dataset.list_files(csv).interleave(lambda path: tf.data.TextLineDataset(path))
        model.fit(lines.batch(32).prefetch(AUTO))
        """,
        """
        import tensorflow as tf

        AUTO = tf.data.AUTOTUNE
        lines = tf.data.Dataset.list_files(csv).interleave(lambda path: tf.data.TextLineDataset(path), num_parallel_calls=AUTO)
        model.fit(lines.batch(32).prefetch(AUTO))
        """,
        severity=Severity.ADVICE,
    ),
    Example(
        "one file",
        """
        import tensorflow as tf

        ds = tf.data.Dataset.from_tensors("gs://bucket/train.tfrecord").interleave(tf.data.TFRecordDataset)
        model.fit(ds.batch(32).prefetch(tf.data.AUTOTUNE))
        """,
        silent=True,
    ),
    Example(
        "no files",
        """
        import tensorflow as tf

        ds = tf.data.Dataset.range(10).interleave(lambda n: tf.data.Dataset.range(n), cycle_length=2)
        model.fit(ds.batch(32).prefetch(tf.data.AUTOTUNE))
        """,
        silent=True,
    ),
    Example(
        "parallel already",
        """
        import tensorflow as tf

        ds = tf.data.Dataset.list_files("gs://bucket/*").interleave(tf.data.TFRecordDataset, num_parallel_calls=4)
        model.fit(ds.batch(32).prefetch(tf.data.AUTOTUNE))
        """,
        silent=True,
    ),
)


@pytest.mark.parametrize("example", CASES, ids=lambda example: example.title)
def test_unparallelized_interleave(example: Example) -> None:
    check_promises("PIPE203", example)
