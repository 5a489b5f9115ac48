"""PIPE301 cache-after-random: cases beyond the examples of the rule itself."""

from __future__ import annotations

import pytest

from pipelint.model.grades import Severity
from pipelint.rule import Example
from tests.rules.promises import check_promises

CASES = (
    Example(
        "cached augmentation",
        """
        import tensorflow as tf

        def augment(image, label):
            return tf.image.random_flip_left_right(image), label

        ds = tf.data.Dataset.from_tensor_slices((images, labels))
        ds = ds.map(decode, num_parallel_calls=tf.data.AUTOTUNE)
        ds = ds.map(augment, num_parallel_calls=tf.data.AUTOTUNE)
        ds = ds.cache()
        model.fit(ds.batch(32).prefetch(tf.data.AUTOTUNE), epochs=10)
        """,
        """
        import tensorflow as tf

        def augment(image, label):
            return tf.image.random_flip_left_right(image), label

        ds = tf.data.Dataset.from_tensor_slices((images, labels))
        ds = ds.map(decode, num_parallel_calls=tf.data.AUTOTUNE)
        ds = ds.cache()
        ds = ds.map(augment, num_parallel_calls=tf.data.AUTOTUNE)
        model.fit(ds.batch(32).prefetch(tf.data.AUTOTUNE), epochs=10)
        """,
        severity=Severity.ERROR,
    ),
    Example(
        "a Keras layer, in one chain",
        """
        import tensorflow as tf

        flip = tf.keras.layers.RandomFlip("horizontal")
        ds = tf.data.TFRecordDataset(files).batch(32).map(lambda x: flip(x, training=True)).cache("cached")
        model.fit(ds.prefetch(tf.data.AUTOTUNE), epochs=10)
        """,
        """
        import tensorflow as tf

        flip = tf.keras.layers.RandomFlip("horizontal")
        ds = tf.data.TFRecordDataset(files).batch(32).cache("cached").map(lambda x: flip(x, training=True))
        model.fit(ds.prefetch(tf.data.AUTOTUNE), epochs=10)
        """,
    ),
    Example(
        "the cache comes first",
        """
        import tensorflow as tf

        ds = tf.data.Dataset.from_tensor_slices(images).cache().map(tf.image.random_flip_up_down)
        model.fit(ds.batch(32).prefetch(tf.data.AUTOTUNE), epochs=10)
        """,
        silent=True,
    ),
    Example(
        "stateless random operations repeat anyway",
        """
        import tensorflow as tf

        ds = tf.data.Dataset.from_tensor_slices(images)
        ds = ds.map(lambda x: tf.image.stateless_random_flip_left_right(x, seed=(1, 2))).cache()
        model.fit(ds.batch(32).prefetch(tf.data.AUTOTUNE), epochs=10)
        """,
        silent=True,
    ),
    Example(
        "random data that is made once",
        """
        import tensorflow as tf

        ds = tf.data.Dataset.range(1000).map(lambda _: tf.random.uniform([32])).cache()
        model.fit(ds.batch(32).prefetch(tf.data.AUTOTUNE), epochs=10)
        """,
        silent=True,
    ),
)


@pytest.mark.parametrize("example", CASES, ids=lambda example: example.title)
def test_cache_after_random(example: Example) -> None:
    check_promises("PIPE301", example)
