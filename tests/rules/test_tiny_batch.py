"""PIPE801 tiny-batch: cases beyond the examples of the rule itself."""

from __future__ import annotations

import pytest

from pipelint.model.grades import Severity
from pipelint.rule import Example
from tests.rules.promises import check_promises

CASES = (
    Example(
        "a batch of four",
        """
        import tensorflow as tf

        BATCH = 4
        ds = tf.data.Dataset.from_tensor_slices((images, labels)).batch(BATCH).prefetch(tf.data.AUTOTUNE)
        model.fit(ds)
        """,
        severity=Severity.WARNING,
    ),
    Example(
        "arrays given to fit",
        """
        from tensorflow import keras

        model = keras.Sequential([keras.layers.Dense(1)])
        model.fit(x, y, batch_size=1, epochs=10)
        """,
        severity=Severity.WARNING,
    ),
    Example(
        "slices of ten rows in a loop",
        """
        from training import train_step

        import tensorflow as tf

        tf.random.set_seed(1)
        for i in range(0, len(x), 10):
            train_step(x[i:i + 10], y[i:i + 10])
        """,
        severity=Severity.ADVICE,
    ),
    Example(
        "images of 512 pixels",
        """
        import tensorflow as tf

        def load(path):
            return tf.image.resize(tf.io.decode_png(tf.io.read_file(path)), (512, 512))

        files = tf.data.Dataset.from_tensor_slices(paths)
        model.fit(files.map(load, num_parallel_calls=tf.data.AUTOTUNE).batch(2).prefetch(tf.data.AUTOTUNE))
        """,
        severity=Severity.ADVICE,
    ),
    Example(
        "validation does not train",
        """
        import tensorflow as tf

        val_ds = tf.data.Dataset.from_tensor_slices((images, labels)).batch(1).prefetch(tf.data.AUTOTUNE)
        model.evaluate(val_ds)
        """,
        silent=True,
    ),
    Example(
        "pairs that the next stage merges",
        """
        import tensorflow as tf

        def mix(images):
            return 0.5 * images[0] + 0.5 * images[1]

        ds = tf.data.Dataset.from_tensor_slices(images).batch(2).map(mix, num_parallel_calls=tf.data.AUTOTUNE)
        model.fit(ds.batch(32).prefetch(tf.data.AUTOTUNE))
        """,
        silent=True,
    ),
    Example(
        "multiplied by the number of replicas",
        """
        import tensorflow as tf

        strategy = tf.distribute.MirroredStrategy()
        ds = tf.data.Dataset.from_tensor_slices(images).batch(4 * strategy.num_replicas_in_sync)
        model.fit(ds.prefetch(tf.data.AUTOTUNE))
        """,
        silent=True,
    ),
)


@pytest.mark.parametrize("example", CASES, ids=lambda example: example.title)
def test_tiny_batch(example: Example) -> None:
    check_promises("PIPE801", example)
