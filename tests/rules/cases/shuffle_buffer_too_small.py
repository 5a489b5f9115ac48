"""PIPE402 shuffle-buffer-too-small: where it fires, and where it stays silent."""

from __future__ import annotations

from tests.cases import Table

FOUND: Table = {
    "decoded pictures": """
        import tensorflow as tf
        ds = tf.data.Dataset.from_tensor_slices(paths).map(load)
        ds = ds.shuffle(buffer_size=64).repeat(10)  #! PIPE402 warning
        for batch in ds.batch(64):
            model.train_on_batch(batch)
    """,
    "a default that callers may override": """
        import tensorflow as tf

        def train(files, batch_size=32):
            ds = tf.data.TFRecordDataset(files).shuffle(batch_size).batch(batch_size)  #! PIPE402 advice
            model.fit(ds, epochs=3)
    """,
    "nothing in sight takes it": """
        import tensorflow as tf

        def rows(x):
            return tf.data.Dataset.from_tensor_slices(x).shuffle(10).batch(32)  #! PIPE402 advice
    """,
}
SILENT: Table = {
    "arrays that were split at random": """
        import tensorflow as tf
        from sklearn.model_selection import train_test_split
        train_x, test_x, train_y, test_y = train_test_split(x, y)
        model.fit(tf.data.Dataset.from_tensor_slices((train_x, train_y)).shuffle(16).batch(16), epochs=5)
    """,
    "no more rows than the buffer holds, put together of several arrays": """
        import numpy as np
        import tensorflow as tf
        ones = np.ones((5, 2))
        rows = np.concatenate([np.concatenate((ones, other), axis=1), np.zeros((5, 3))])
        model.fit(tf.data.Dataset.from_tensor_slices(rows).shuffle(10).repeat().batch(10), steps_per_epoch=9)
    """,
    "a caller that turns the shuffle off": """
        import tensorflow as tf

        def load(files, buffer_size=5000):
            return tf.data.TFRecordDataset(files).shuffle(buffer_size).batch(32)

        model.fit(load(files, buffer_size=1), epochs=3)
    """,
    "thousands of elements, for batches of still more": """
        import tensorflow as tf

        ds = tf.data.TFRecordDataset(files).shuffle(10_000).batch(12_800)
        model.fit(ds, epochs=3)
    """,
    "evaluation": """
        import tensorflow as tf
        model.evaluate(tf.data.TFRecordDataset(files).shuffle(32).batch(32))
    """,
    "a test set by its name": """
        import tensorflow as tf
        test_set = tf.data.TFRecordDataset(files).shuffle(32).batch(32)
        batches = iter(test_set)
        for step in range(1000):
            compare(next(batches))
    """,
    "one of two": """
        import tensorflow as tf
        model.fit(tf.data.TFRecordDataset(files).shuffle(10_000).map(parse).shuffle(8).batch(32), epochs=3)
    """,
    "all elements": """
        import tensorflow as tf
        model.fit(tf.data.Dataset.range(20).shuffle(20).map(load).batch(32), epochs=3)
    """,
    "whole batches": """
        import tensorflow as tf
        ds = tf.data.experimental.make_csv_dataset(files, batch_size=1000).shuffle(1000)
        model.fit(ds.batch(1), steps_per_epoch=100)
    """,
    "files of many examples": """
        import tensorflow as tf
        ds = tf.data.Dataset.from_tensor_slices(files).shuffle(8).flat_map(tf.data.TFRecordDataset)
        model.fit(ds.batch(32), epochs=3)
    """,
    "one only where nothing shall be shuffled": """
        import tensorflow as tf

        def rows(x, train):
            buffer = x.shape[0] if train else 1
            return tf.data.Dataset.from_tensor_slices(x).shuffle(buffer).batch(32)
    """,
    "a buffer and batches of unknown size": """
        import tensorflow as tf
        model.fit(tf.data.TFRecordDataset(files).shuffle(size).batch(batch_size), epochs=3)
    """,
}
