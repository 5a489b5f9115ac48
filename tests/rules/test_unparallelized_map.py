"""PIPE201 unparallelized-map: cases beyond the examples of the rule itself."""

from __future__ import annotations

import pytest

from pipelint.model.grades import Severity
from pipelint.rule import Example
from tests.rules.promises import check_promises

CASES = (
    Example(
        "a random function",
        """
        import tensorflow as tf

        def augment(image):
            return tf.image.random_flip_left_right(image)

        def train(model, images):
            ds = tf.data.Dataset.from_tensor_slices(images).map(augment).batch(32).prefetch(tf.data.AUTOTUNE)
            model.fit(ds)
        """,
        """
        import tensorflow as tf

        def augment(image):
            return tf.image.random_flip_left_right(image)

        def train(model, images):
            ds = tf.data.Dataset.from_tensor_slices(images).map(augment, num_parallel_calls=tf.data.AUTOTUNE).batch(32).prefetch(tf.data.AUTOTUNE)
            model.fit(ds)
        """,
        severity=Severity.WARNING,
    ),
    Example(
        "a stateless function, which TensorFlow makes parallel by itself",
        """
        import tensorflow as tf

        AUTO = tf.data.AUTOTUNE
        ds = tf.data.TFRecordDataset("train.tfrecord")
        ds = ds.map(
            lambda record: tf.io.decode_raw(record, tf.uint8),
        )
        model.fit(ds.batch(32).prefetch(AUTO))
        """,
        """
        import tensorflow as tf

        AUTO = tf.data.AUTOTUNE
        ds = tf.data.TFRecordDataset("train.tfrecord")
        ds = ds.map(
            lambda record: tf.io.decode_raw(record, tf.uint8),
            num_parallel_calls=AUTO,
        )
        model.fit(ds.batch(32).prefetch(AUTO))
        """,
        severity=Severity.ADVICE,
    ),
)


@pytest.mark.parametrize("example", CASES, ids=lambda example: example.title)
def test_unparallelized_map(example: Example) -> None:
    check_promises("PIPE201", example)
