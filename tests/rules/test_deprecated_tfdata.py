"""PIPE903 deprecated-tfdata: cases beyond the examples of the rule itself."""

from __future__ import annotations

import pytest

from pipelint.rule import Example
from tests.rules.promises import check_promises

CASES = (
    Example(
        "an import",
        """
        from tensorflow.data.experimental import AUTOTUNE as AUTO
        """,
        """
        from tensorflow.data import AUTOTUNE as AUTO
        """,
    ),
    Example(
        "options",
        """
        import tensorflow as tf

        options = tf.data.Options()
        options.experimental_deterministic = False
        options.experimental_threading.private_threadpool_size = 8
        options.experimental_optimization.map_parallelization = True
        """,
        """
        import tensorflow as tf

        options = tf.data.Options()
        options.deterministic = False
        options.threading.private_threadpool_size = 8
        options.experimental_optimization.map_parallelization = True
        """,
        count=2,
    ),
    Example(
        "transformations",
        """
        import tensorflow as tf

        ds = tf.data.TFRecordDataset(files)
        ds = ds.apply(tf.data.experimental.shuffle_and_repeat(1000, 3, seed=1))
        ds = ds.apply(tf.data.experimental.map_and_batch(parse, 32, drop_remainder=True))
        ds = ds.apply(tf.data.experimental.unbatch())
        """,
        """
        import tensorflow as tf

        ds = tf.data.TFRecordDataset(files)
        ds = ds.shuffle(1000, seed=1).repeat(3)
        ds = ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE).batch(32, drop_remainder=True)
        ds = ds.unbatch()
        """,
        count=3,
    ),
    Example(
        "a target without the new name",
        """
        import tensorflow as tf
        A = tf.data.experimental.AUTOTUNE
        """,
        silent=True,
        target=(2, 3),
    ),
    Example(
        "code for TensorFlow 1",
        """
        import tensorflow.compat.v1 as tf

        AUTO = tf.data.experimental.AUTOTUNE
        """,
        silent=True,
    ),
)


@pytest.mark.parametrize("example", CASES, ids=lambda example: example.title)
def test_deprecated_tfdata(example: Example) -> None:
    check_promises("PIPE903", example)
