"""PIPE206 determinism-serializes-map: where it fires, and where it stays silent."""

from __future__ import annotations

from tests.cases import Table

FOUND: Table = {
    "Python": """
        import tensorflow as tf
        tf.config.experimental.enable_op_determinism()

        def load(path):
            return tf.numpy_function(read, [path], tf.float32)

        ds = tf.data.Dataset.from_tensor_slices(paths).map(load, num_parallel_calls=8)  #! PIPE206 advice
        model.fit(ds.batch(32), epochs=3)
    """,
    "a variable": """
        import tensorflow as tf
        tf.config.experimental.enable_op_determinism()
        seen = tf.Variable(0)

        def count(row):
            seen.assign_add(1)
            return row

        model.fit(tf.data.TFRecordDataset(files).map(count, num_parallel_calls=8).batch(32))  #! PIPE206 advice
    """,
}
SILENT: Table = {
    "no parallel calls": """
        import tensorflow as tf
        tf.config.experimental.enable_op_determinism()
        model.fit(tf.data.Dataset.from_tensor_slices(x).map(tf.keras.layers.RandomFlip()).batch(32))
    """,
    "draws that are given their seeds": """
        import tensorflow as tf
        tf.config.experimental.enable_op_determinism()
        ds = tf.data.Dataset.zip(tf.data.Dataset.from_tensor_slices(x), tf.data.Dataset.counter())

        def draw(image, number):
            return tf.image.stateless_random_contrast(image, 0.5, 1.5, (1, number))

        model.fit(ds.map(draw, num_parallel_calls=8).batch(32))
    """,
}
