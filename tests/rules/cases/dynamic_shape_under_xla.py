"""PIPE707 dynamic-shape-under-xla: where it fires, and where it stays silent."""

from __future__ import annotations

from tests.cases import Table

FOUND: Table = {
    "no shapes are given": """
        import tensorflow as tf
        model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
        model.compile("adam", "mse", jit_compile=True)
        ds = tf.data.TFRecordDataset(files).map(parse)
        ds = ds.padded_batch(32)  #! PIPE707 warning
        model.fit(ds.prefetch(2), epochs=3)
    """,
}
SILENT: Table = {
    "another model": """
        import tensorflow as tf
        model, other = tf.keras.Sequential([tf.keras.layers.Dense(1)]), tf.keras.Sequential([tf.keras.layers.Dense(2)])
        other.compile("adam", "mse", jit_compile=True)
        model.compile("adam", "mse", jit_compile=False)
        model.fit(tf.data.TFRecordDataset(files).map(parse).padded_batch(32), epochs=3)
    """,
    "batches of one shape": """
        import tensorflow as tf
        model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
        model.compile("adam", "mse", jit_compile=True)
        model.fit(tf.data.TFRecordDataset(files).map(parse).batch(32), epochs=3)
    """,
    "as the user chooses": """
        import tensorflow as tf
        model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
        model.compile("adam", "mse", jit_compile=arguments.xla)
        model.fit(tf.data.TFRecordDataset(files).map(parse).padded_batch(32), epochs=3)
    """,
}
